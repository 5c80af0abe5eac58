/** The columns of a statement, and the rows that belong to the newest ones. */
import { compareText } from '../../../contract/compare-text.ts';
import type { MetricValue } from '../../../contract/resources/metrics.ts';
import { fiscalLabel, periodLabel } from '../../../result/labels.ts';

/** A column of a statement: the values of one period, and balances at its end. */
export interface PeriodColumn {
  readonly label: string;
  readonly start: string | null;
  readonly end: string;
  readonly isTtm: boolean;
  /** Created for a second value of the same metric and period. */
  readonly extra: boolean;
  readonly values: Set<MetricValue>;
  /** The series with a value in this column. */
  readonly taken: Set<string>;
}

/** The period kind of trailing twelve months. */
const TTM = 'ttm';

export const isTtm = ({ period_kind: kind }: Pick<MetricValue, 'period_kind'>): boolean => kind === TTM;

/** The key of a metric in one unit. */
export const seriesKey = ({ metric_key: key, unit }: MetricValue): string => `${key} ${unit}`;

/**
 * Columns with the newest end first; of periods with the same end twelve months first, and longer ones last. No value
 * is left out: a second value for the same place (after a change of the year's end, or a cover with its own date)
 * gets a column of its own.
 */
export function periodColumns(data: readonly MetricValue[]): PeriodColumn[] {
  const columns: PeriodColumn[] = [];
  for (const row of data.filter((one) => one.start_date != null)) {
    const alike = (column: PeriodColumn): boolean => column.isTtm === isTtm(row);
    place(columns, row, (column) => alike(column) && column.end === row.end_date && column.start === row.start_date) ||
      place(columns, row, (column) => alike(column) && column.label === labelOf(row)) ||
      open(columns, row);
  }
  for (const row of data.filter((one) => one.start_date == null)) {
    place(columns, row, (column) => !column.isTtm && column.end === row.end_date) ||
      place(columns, row, (column) => column.label === fiscalLabel(row)) ||
      // A balance at the year's end is also that of the fourth quarter.
      place(columns, row, (column) => row.fiscal_period === 'FY' && column.label === `Q4 ${row.fiscal_year}`) ||
      place(columns, row, (column) => column.isTtm && column.end === row.end_date) ||
      open(columns, row);
  }
  return columns.sort(
    (a, b) =>
      compareText(b.end, a.end) || Number(b.isTtm) - Number(a.isTtm) || compareText(b.start ?? '', a.start ?? ''),
  );
}

function place(columns: readonly PeriodColumn[], row: MetricValue, fits: (column: PeriodColumn) => boolean): boolean {
  const key = seriesKey(row);
  const column = columns.find((candidate) => fits(candidate) && !candidate.taken.has(key));
  column?.values.add(row);
  column?.taken.add(key);
  return column !== undefined;
}

function open(columns: PeriodColumn[], row: MetricValue): void {
  const label = labelOf(row);
  const extra = columns.some((column) => column.label === label);
  columns.push({
    label: extra ? row.end_date : label,
    start: row.start_date ?? null,
    end: row.end_date,
    isTtm: isTtm(row),
    extra,
    values: new Set([row]),
    taken: new Set([seriesKey(row)]),
  });
}

const labelOf = (row: MetricValue): string => (isTtm(row) ? `TTM ${row.end_date}` : periodLabel(row));

/** Which periods of an answer to show. */
export interface PeriodChoice {
  /** The period kind of flows; null for every kind. */
  readonly kind: 'annual' | 'quarter' | 'ttm' | null;
  /** Number of the newest periods; null for all. */
  readonly count: number | null;
  /** Whether to add the newest twelve months. */
  readonly ttm: boolean;
}

/** The rows of these periods. Balances belong to the periods that end on their day. */
export function rowsOfPeriods(rows: readonly MetricValue[], { kind, count, ttm }: PeriodChoice): MetricValue[] {
  const flows = rows.filter(
    (row) => row.start_date != null && (kind === null ? !isTtm(row) : row.period_kind === kind),
  );
  const ends = new Set(flows.map(({ end_date: end }) => end));
  const labels = new Set(flows.map(fiscalLabel));
  // An answer with all kinds also has balances of other periods; a balance sheet alone has no flows.
  const isAlone = kind !== 'ttm' && flows.length === 0;
  const balances = rows.filter(
    (row) => row.start_date == null && (isAlone || ends.has(row.end_date) || labels.has(fiscalLabel(row))),
  );
  const columns = newest(periodColumns([...flows, ...balances]), count);
  const twelve = ttm ? newestTtm(rows) : [];
  const chosen = new Set([...columns.flatMap(({ values }) => [...values]), ...twelve]);
  return rows.filter((row) => chosen.has(row));
}

/** The first columns up to a number of columns with flows, or, without flows, with balances. */
function newest(columns: readonly PeriodColumn[], count: number | null): readonly PeriodColumn[] {
  if (count === null) return columns;
  const hasFlows = columns.some(({ start }) => start !== null);
  const countedColumns = columns.filter(({ start, extra }) => !extra && (start !== null) === hasFlows);
  const lastColumn = countedColumns[count - 1];
  return lastColumn === undefined ? columns : columns.slice(0, columns.indexOf(lastColumn) + 1);
}

/** The latest twelve months, and the balances of their last day. */
function newestTtm(rows: readonly MetricValue[]): MetricValue[] {
  const ends = rows.filter(isTtm).map(({ end_date: end }) => end);
  const lastEnd = ends.sort(compareText).at(-1);
  return rows.filter((row) => row.end_date === lastEnd && (isTtm(row) || row.start_date == null));
}
