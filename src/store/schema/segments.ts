/** Tables of data from tagged reports: the reports that were read, their segments, and the locations of facts. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { FactLocation } from '../../figures/filings/fact-location.ts';
import type { AxisName } from '../../figures/segments/axes.ts';
import type { MeasureName } from '../../figures/segments/measures.ts';
import type { SegmentSeries } from '../../figures/segments/series.ts';
import {
  ACCESSION_COLUMN,
  CIK_COLUMN,
  day,
  dayOrNull,
  decimalOrNull,
  defineTable,
  FILED_COLUMN,
  FORM_COLUMN,
  flag,
  integer,
  text,
  textOrNull,
  timestampOrNull,
  type WithCik,
} from './table.ts';

/** A filing whose tagged report was read. */
export interface TaggedReportRow {
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** Time with a UTC offset; null if unknown. */
  readonly acceptedAt: string | null;
  readonly kind: 'inline' | 'instance' | 'data_set';
}

/** Sorted by CIK, then filing date. */
export const TAGGED_REPORTS = defineTable<WithCik<TaggedReportRow>>()({
  name: 'tagged_reports',
  key: 'cik',
  columns: [CIK_COLUMN, ACCESSION_COLUMN, FORM_COLUMN, FILED_COLUMN, timestampOrNull('accepted_at'), text('kind')],
});

/**
 * One figure of a breakdown. Rows of a series are consecutive, latest period first. Each period begins with the
 * consolidated figure, whose member is null.
 */
export interface SegmentRow {
  readonly period: 'annual' | 'quarterly';
  readonly axis: AxisName;
  readonly measure: MeasureName;
  readonly concept: string;
  readonly unit: string;
  readonly fiscalYear: number;
  readonly fiscalPeriod: string;
  readonly end: string;
  readonly derived: boolean;
  /**
   * Periods with the same basis are comparable. The latest periods have basis 1; periods before a recast of the
   * segments have 2, before two recasts 3, and so on.
   */
  readonly basis: number;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly member: string | null;
  readonly label: string | null;
  /** Null only for a consolidated figure that was not reported. */
  readonly value: Decimal | null;
}

export const SEGMENTS = defineTable<WithCik<SegmentRow>>()({
  name: 'segments',
  typed: {
    about: 'Figures by business segment, geography and product. Rows without a member are the consolidated figures.',
    order: 'cik, then series (rows with the same period, axis, measure, concept and unit), latest end_date first',
  },
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('period', 'annual or quarterly'),
    text('axis', 'segment, geography or product'),
    text('measure', 'Measured quantity, such as revenue'),
    text('concept', 'XBRL concept, as prefix:Name'),
    text('unit', 'Unit of measure'),
    integer('fiscal_year', 'Fiscal year of the period'),
    text('fiscal_period', 'Fiscal period: FY, or Q1 to Q4'),
    day('end_date', 'Last day of the period', { field: 'end' }),
    flag('derived', 'Whether the value was computed for a fourth quarter, as the year less three quarters'),
    integer(
      'basis',
      'Number of the segment definition: 1 is the newest, earlier definitions have higher numbers. Only periods with the same number can be compared',
      { absent: 1 },
    ),
    ACCESSION_COLUMN,
    FORM_COLUMN,
    FILED_COLUMN,
    textOrNull('member', 'XBRL member; null for the consolidated figure'),
    textOrNull('label', 'Name of the member'),
    decimalOrNull('value', 'Value, exact; null if no filing reports the consolidated figure'),
  ],
});

/** Location of a fact in a document of its filing. */
export interface FactLocationRow extends FactLocation {
  readonly accession: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
}

export const FACT_LOCATIONS = defineTable<WithCik<FactLocationRow>>()({
  name: 'fact_locations',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    ACCESSION_COLUMN,
    text('concept'),
    text('unit'),
    dayOrNull('start_date', { field: 'start' }),
    day('end_date', { field: 'end' }),
    text('match_quality'),
    textOrNull('context'),
    textOrNull('document'),
    textOrNull('line_id'),
  ],
});

export const toSegmentRows = (series: readonly SegmentSeries[]): SegmentRow[] =>
  series.flatMap(({ periods, members, period, axis, measure, concept, unit }) =>
    periods.flatMap(({ total, ...periodFields }, index) => {
      const common = { period, axis, measure, concept, unit, ...periodFields };
      return [
        { ...common, member: null, label: null, value: total },
        ...members.flatMap(({ member, label, values }) => {
          const value = values[index] ?? null;
          return value === null ? [] : [{ ...common, member, label, value }];
        }),
      ];
    }),
  );

/** Returns the series in the table rows. Members are in the order of their first occurrence. */
export function toSegmentSeries(rows: readonly SegmentRow[]): SegmentSeries[] {
  const bySeries = new Map<string, SegmentRow[]>();
  for (const row of rows) {
    const key = `${row.period} ${row.axis} ${row.measure} ${row.concept} ${row.unit}`;
    const known = bySeries.get(key);
    if (known === undefined) bySeries.set(key, [row]);
    else known.push(row);
  }
  return [...bySeries.values()].flatMap(assembleSeries);
}

function assembleSeries(rows: readonly SegmentRow[]): SegmentSeries[] {
  const [firstRow] = rows;
  if (firstRow === undefined) return [];
  const totals = rows.filter((row) => row.member === null);
  const byMember = new Map<string, { label: string; values: (string | null)[] }>();
  let position = -1;
  for (const { member, label, value } of rows) {
    if (member === null) position += 1;
    else {
      const entry = byMember.get(member) ?? { label: label ?? member, values: totals.map(() => null) };
      byMember.set(member, entry);
      entry.values[position] = value;
    }
  }
  const { period, axis, measure, concept, unit } = firstRow;
  return [
    {
      period,
      axis,
      measure,
      concept,
      unit,
      periods: totals.map(({ fiscalYear, fiscalPeriod, end, accession, form, filed, derived, basis, value }) => ({
        ...{ fiscalYear, fiscalPeriod, end, accession, form, filed, derived, basis },
        total: value,
      })),
      members: [...byMember].map(([member, entry]) => ({ member, ...entry })),
    },
  ];
}
