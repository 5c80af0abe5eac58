/** Series as rows of a table, and back. */
import type { SegmentSeries } from '../../figures/segments/series.ts';
import type { SegmentRow } from './segments.ts';

export function segmentRows(series: readonly SegmentSeries[]): SegmentRow[] {
  return series.flatMap(({ periods, members, period, axis, measure, concept, unit }) =>
    periods.flatMap(({ total, ...place }, index) => {
      const base = { period, axis, measure, concept, unit, ...place };
      return [
        { ...base, member: null, label: null, value: total },
        ...members.flatMap(({ member, label, values }) => {
          const value = values[index] ?? null;
          return value === null ? [] : [{ ...base, member, label, value }];
        }),
      ];
    }),
  );
}

/** Members come back in the order in which the periods name them, which is the order they had. */
export function seriesOf(rows: readonly SegmentRow[]): SegmentSeries[] {
  const groups = new Map<string, SegmentRow[]>();
  for (const row of rows) {
    const key = `${row.period} ${row.axis} ${row.measure} ${row.concept} ${row.unit}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].flatMap(assemble);
}

function assemble(rows: readonly SegmentRow[]): SegmentSeries[] {
  const [first] = rows;
  if (first === undefined) return [];
  const periods = rows.filter((row) => row.member === null);
  const members = new Map<string, { label: string; values: (string | null)[] }>();
  let column = -1;
  for (const { member, label, value } of rows) {
    if (member === null) column += 1;
    else {
      const known = members.get(member) ?? { label: label ?? member, values: periods.map(() => null) };
      members.set(member, known);
      known.values[column] = value;
    }
  }
  const { period, axis, measure, concept, unit } = first;
  return [
    {
      period,
      axis,
      measure,
      concept,
      unit,
      periods: periods.map(({ fiscalYear, fiscalPeriod, end, accession, form, filed, derived, value }) => ({
        ...{ fiscalYear, fiscalPeriod, end, accession, form, filed, derived },
        total: value,
      })),
      members: [...members].map(([member, entry]) => ({ member, ...entry })),
    },
  ];
}
