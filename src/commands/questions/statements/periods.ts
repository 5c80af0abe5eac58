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
  readonly seriesKeys: Set<string>;
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
  for (const row of data.filter((candidate) => candidate.start_date != null)) {
    const isSameKind = (column: PeriodColumn): boolean => column.isTtm === isTtm(row);
    placeInColumn(
      columns,
      row,
      (column) => isSameKind(column) && column.end === row.end_date && column.start === row.start_date,
    ) ||
      placeInColumn(columns, row, (column) => isSameKind(column) && column.label === labelOf(row)) ||
      openColumn(columns, row);
  }
  for (const row of data.filter((candidate) => candidate.start_date == null)) {
    placeInColumn(columns, row, (column) => !column.isTtm && column.end === row.end_date) ||
      placeInColumn(columns, row, (column) => column.label === fiscalLabel(row)) ||
      // A balance at the year's end is also that of the fourth quarter.
      placeInColumn(columns, row, (column) => row.fiscal_period === 'FY' && column.label === `Q4 ${row.fiscal_year}`) ||
      placeInColumn(columns, row, (column) => column.isTtm && column.end === row.end_date) ||
      openColumn(columns, row);
  }
  return columns.sort(
    (a, b) =>
      compareText(b.end, a.end) || Number(b.isTtm) - Number(a.isTtm) || compareText(b.start ?? '', a.start ?? ''),
  );
}

function placeInColumn(
  columns: readonly PeriodColumn[],
  row: MetricValue,
  isMatch: (column: PeriodColumn) => boolean,
): boolean {
  const key = seriesKey(row);
  const column = columns.find((candidate) => isMatch(candidate) && !candidate.seriesKeys.has(key));
  column?.values.add(row);
  column?.seriesKeys.add(key);
  return column !== undefined;
}

function openColumn(columns: PeriodColumn[], row: MetricValue): void {
  const label = labelOf(row);
  const isExtra = columns.some((column) => column.label === label);
  columns.push({
    label: isExtra ? row.end_date : label,
    start: row.start_date ?? null,
    end: row.end_date,
    isTtm: isTtm(row),
    extra: isExtra,
    values: new Set([row]),
    seriesKeys: new Set([seriesKey(row)]),
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
  const flowRows = rows.filter(
    (row) => row.start_date != null && (kind === null ? !isTtm(row) : row.period_kind === kind),
  );
  const endDates = new Set(flowRows.map(({ end_date: end }) => end));
  const labels = new Set(flowRows.map(fiscalLabel));
  // An answer with all kinds also has balances of other periods; a balance sheet alone has no flows.
  const isOnlyBalances = kind !== 'ttm' && flowRows.length === 0;
  const balanceRows = rows.filter(
    (row) => row.start_date == null && (isOnlyBalances || endDates.has(row.end_date) || labels.has(fiscalLabel(row))),
  );
  const columns = newestColumns(periodColumns([...flowRows, ...balanceRows]), count);
  const ttmRows = ttm ? newestTtm(rows) : [];
  const chosenRows = new Set([...columns.flatMap(({ values }) => [...values]), ...ttmRows]);
  return rows.filter((row) => chosenRows.has(row));
}

/** The first columns up to a number of columns with flows, or, without flows, with balances. */
function newestColumns(columns: readonly PeriodColumn[], count: number | null): readonly PeriodColumn[] {
  if (count === null) return columns;
  const hasFlows = columns.some(({ start }) => start !== null);
  const countedColumns = columns.filter(({ start, extra }) => !extra && (start !== null) === hasFlows);
  const lastColumn = countedColumns[count - 1];
  return lastColumn === undefined ? columns : columns.slice(0, columns.indexOf(lastColumn) + 1);
}

/** The latest twelve months, and the balances of their last day. */
function newestTtm(rows: readonly MetricValue[]): MetricValue[] {
  const endDates = rows.filter(isTtm).map(({ end_date: end }) => end);
  const lastEnd = endDates.sort(compareText).at(-1);
  return rows.filter((row) => row.end_date === lastEnd && (isTtm(row) || row.start_date == null));
}
