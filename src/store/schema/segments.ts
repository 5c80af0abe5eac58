/** Tables of data from tagged reports: the reports that were read, their segments, and the locations of facts. */
import type { FiledReport } from '../../edgar/reports/xbrl-report.ts';
import type { MatchQuality } from '../../figures/filings/fact-location.ts';
import type { AxisName } from '../../figures/segments/axes.ts';
import type { RowRole } from '../../figures/segments/breakdown-rows.ts';
import type { MeasureName } from '../../figures/segments/measures.ts';
import type { SegmentSeries, SeriesMember } from '../../figures/segments/series.ts';
import { orderAsTree } from '../../figures/segments/series-rows.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { day, decimal, flag, integer, only, text, timestamp } from './columns.ts';
import { ACCESSION_COLUMN, CIK_COLUMN, declareTable, FILED_COLUMN, FORM_COLUMN, type RowOf } from './declare-table.ts';

/** Sorted by CIK, then filing date. */
export const TAGGED_REPORTS = declareTable({
  name: 'tagged_reports',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    ACCESSION_COLUMN,
    FORM_COLUMN,
    FILED_COLUMN,
    timestamp('accepted_at?'),
    only<FiledReport['kind']>()(text('kind')),
  ],
});

/** A filing whose tagged report was read. */
export type TaggedReportRow = Omit<RowOf<typeof TAGGED_REPORTS>, 'cik'>;

export const SEGMENTS = declareTable({
  name: 'segments',
  typed: {
    about:
      'Figures by business segment, geography and product. Rows without a member are the consolidated figures. Toward them count the ' +
      'rows of a period without a parent, or whose parent has no row in the period, except rows with the role not_added.',
    order: 'cik, then series (rows with the same period, axis, measure, concept and unit), latest end_date first',
  },
  key: 'cik',
  columns: [
    CIK_COLUMN,
    only<'annual' | 'quarterly'>()(text('period', 'annual or quarterly')),
    only<AxisName>()(text('axis', 'segment, geography or product')),
    only<MeasureName>()(text('measure', 'Measured quantity, such as revenue')),
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
    text('member?', 'XBRL member; null for the consolidated figure'),
    text('label?', 'Name of the member'),
    decimal('value?', 'Value, exact; null if no filing reports the consolidated figure'),
    text('parent?', 'Member that includes this one; null for members that count toward the total'),
    only<RowRole>()(
      text(
        'role',
        'member; reconciling for eliminations and other reconciling items; not_added for members that overlap with others',
        { absent: 'member' },
      ),
    ),
  ],
});

/**
 * One figure of a breakdown. Rows of a series are consecutive, latest period first. Each period begins with the
 * consolidated figure, whose member is null.
 */
export type SegmentRow = Omit<RowOf<typeof SEGMENTS>, 'cik'>;

export const FACT_LOCATIONS = declareTable({
  name: 'fact_locations',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    ACCESSION_COLUMN,
    text('concept'),
    text('unit'),
    day('start_date?', { field: 'start' }),
    day('end_date', { field: 'end' }),
    only<MatchQuality>()(text('match_quality')),
    text('context?'),
    text('document?'),
    text('line_id?'),
  ],
});

/** Location of a fact in a document of its filing. */
export type FactLocationRow = Omit<RowOf<typeof FACT_LOCATIONS>, 'cik'>;

export const toSegmentRows = (series: readonly SegmentSeries[]): SegmentRow[] =>
  series.flatMap(({ periods, members, period, axis, measure, concept, unit }) =>
    periods.flatMap(({ total, ...periodFields }, index) => {
      const common = { period, axis, measure, concept, unit, ...periodFields };
      return [
        { ...common, member: null, label: null, value: total, parent: null, role: 'member' as const },
        ...members.flatMap(({ member, label, parent, role, values }) => {
          const value = values[index] ?? null;
          return value === null ? [] : [{ ...common, member, label, value, parent, role }];
        }),
      ];
    }),
  );

/** Returns the series in the table rows. Members are in the order of their first occurrence, each before its parts. */
export function toSegmentSeries(rows: readonly SegmentRow[]): SegmentSeries[] {
  const makeKey = (row: SegmentRow) => `${row.period} ${row.axis} ${row.measure} ${row.concept} ${row.unit}`;
  return [...groupBy(rows, makeKey).values()].map(assembleSeries);
}

function assembleSeries(rows: readonly [SegmentRow, ...SegmentRow[]]): SegmentSeries {
  const totals = rows.filter((row) => row.member === null);
  const byKey = new Map<string, SeriesMember & { readonly values: (string | null)[] }>();
  let periodIndex = -1;
  for (const { member, label, parent, role, value } of rows) {
    if (member === null) periodIndex += 1;
    else {
      const key = `${role} ${parent ?? ''} ${member}`;
      const makeMember = () => ({ member, label: label ?? member, parent, role, values: totals.map(() => null) });
      getOrInsert(byKey, key, makeMember).values[periodIndex] = value;
    }
  }
  const { period, axis, measure, concept, unit } = rows[0];
  return {
    ...{ period, axis, measure, concept, unit },
    periods: totals.map(({ fiscalYear, fiscalPeriod, end, accession, form, filed, derived, basis, value }) => ({
      ...{ fiscalYear, fiscalPeriod, end, accession, form, filed, derived, basis },
      total: value,
    })),
    members: orderAsTree([...byKey.values()]),
  };
}
