/** Assigns metric values to the columns of a statement, and selects the rows of the newest columns. */
import { compareText } from '../../contract/compare-text.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { formatFiscalPeriod, formatPeriod } from '../../result/labels.ts';
import type { Formulas } from '../formulas/formulas.ts';

/** A column of a statement: the flows of one period, and the balances at its end. */
export interface PeriodColumn {
  readonly label: string;
  readonly start: string | null;
  readonly end: string;
  readonly isTtm: boolean;
  /**
   * Whether this is an additional column of a period, labelled with its end date. It was added because the period's
   * first column already had a value of the same metric.
   */
  readonly isExtra: boolean;
  readonly values: Set<MetricValue>;
  /** Keys of the series (metric and unit) that have a value in this column. */
  readonly seriesKeys: Set<string>;
}

/** The period kind of trailing twelve months in answers of the service. */
const TTM_KIND = 'ttm';

export const isTtm = ({ period_kind: kind }: Pick<MetricValue, 'period_kind'>): boolean => kind === TTM_KIND;

/** Returns the key of a series: one metric in one unit. */
export const makeSeriesKey = ({ metric_key: key, unit }: MetricValue): string => `${key} ${unit}`;

/**
 * Returns columns, newest end first. If periods end on the same day, trailing twelve months come first, and longer
 * periods last. A second value for a cell gets an extra column, for example after a change of the fiscal year end.
 */
export function makePeriodColumns(data: readonly MetricValue[]): PeriodColumn[] {
  const columns: PeriodColumn[] = [];
  for (const row of data.filter((candidate) => candidate.start_date != null)) {
    const hasSameKind = (column: PeriodColumn): boolean => column.isTtm === isTtm(row);
    placeInColumn(columns, row, [
      (column) => hasSameKind(column) && column.end === row.end_date && column.start === row.start_date,
      (column) => hasSameKind(column) && column.label === formatPeriodColumnLabel(row),
    ]);
  }
  // Without flows of years, the balance at the end of a fiscal year is that of its fourth quarter.
  const isQuarterly =
    data.some(({ fiscal_period: part }) => part?.startsWith('Q')) &&
    !data.some(({ period_kind: kind }) => kind === 'annual');
  for (const row of data.filter((candidate) => candidate.start_date == null)) {
    // A balance at the fiscal year end is also the balance of the fourth quarter.
    const fourthQuarter = row.fiscal_period === 'FY' ? `Q4 ${row.fiscal_year}` : undefined;
    const tests: ColumnTest[] = [
      (column) => !column.isTtm && column.end === row.end_date,
      (column) => column.label === formatFiscalPeriod(row),
      (column) => column.label === fourthQuarter,
      (column) => column.isTtm && column.end === row.end_date,
    ];
    placeInColumn(columns, row, tests, isQuarterly ? fourthQuarter : undefined);
  }
  return columns.sort(compareNewestFirst);
}

const compareNewestFirst = (a: PeriodColumn, b: PeriodColumn): number =>
  compareText(b.end, a.end) || Number(b.isTtm) - Number(a.isTtm) || compareText(b.start ?? '', a.start ?? '');

type ColumnTest = (column: PeriodColumn) => boolean;

/** Places a row in the column that passes the first possible test and has no value of its series, or in a new column. */
function placeInColumn(
  columns: PeriodColumn[],
  row: MetricValue,
  tests: readonly ColumnTest[],
  label = formatPeriodColumnLabel(row),
): void {
  const key = makeSeriesKey(row);
  const open = columns.filter(({ seriesKeys }) => !seriesKeys.has(key));
  let column = tests.flatMap((test) => open.find(test) ?? [])[0];
  if (column === undefined) {
    const isExtra = columns.some((other) => other.label === label);
    const place = { start: row.start_date ?? null, isTtm: isTtm(row), isExtra };
    column = { ...makeEmptyColumn(isExtra ? row.end_date : label, row.end_date), ...place };
    columns.push(column);
  }
  column.values.add(row);
  column.seriesKeys.add(key);
}

const formatPeriodColumnLabel = (row: MetricValue): string => (isTtm(row) ? `TTM ${row.end_date}` : formatPeriod(row));

/** Determines which periods of an answer are shown. */
export interface PeriodChoice {
  /** The period kind of flows to show; null for every kind except trailing twelve months. */
  readonly kind: 'annual' | 'quarter' | 'ttm' | null;
  /** Maximum number of periods, newest first; null for all. */
  readonly count: number | null;
  /** Whether to add the newest trailing twelve months. */
  readonly ttm: boolean;
}

/** Returns the rows of the selected periods, including the balances at the end of each period. */
export function selectRowsOfPeriods(rows: readonly MetricValue[], choice: PeriodChoice): MetricValue[] {
  const ttmRows = choice.ttm ? findNewestTtmRows(rows) : [];
  const chosenRows = new Set([...listNewestColumns(rows, choice).flatMap(({ values }) => [...values]), ...ttmRows]);
  return rows.filter((row) => chosenRows.has(row));
}

/** Returns the columns of the selected periods, without the trailing twelve months that are added. */
function listNewestColumns(rows: readonly MetricValue[], { kind, count }: PeriodChoice): readonly PeriodColumn[] {
  const isOfKind = (row: MetricValue): boolean => (kind === null ? !isTtm(row) : row.period_kind === kind);
  const flows = rows.filter((row) => row.start_date != null && isOfKind(row));
  const endDates = new Set(flows.map(({ end_date: end }) => end));
  const periodLabels = new Set(flows.map(formatFiscalPeriod));
  // Without flows (a balance sheet alone), all balances are selected.
  const hasNoFlows = kind !== 'ttm' && flows.length === 0;
  const isAtEnd = (row: MetricValue): boolean =>
    hasNoFlows || endDates.has(row.end_date) || periodLabels.has(formatFiscalPeriod(row));
  const balances = rows.filter((row) => row.start_date == null && isAtEnd(row));
  return selectNewestColumns(makePeriodColumns([...flows, ...balances]), count);
}

/**
 * Metrics that every company reports for each period. Requests for some metrics include them if the user asks for a
 * number of periods, so that a period without a value of the requested metrics is shown as missing.
 */
export const CALENDAR_KEYS: readonly string[] = ['net_income', 'revenue'];

/** Returns the keys to request instead of the names of formulas: their figures, and those that state the periods. */
export const replaceFormulaKeys = (keys: readonly string[], { byName, listFigures }: Formulas): readonly string[] => [
  ...new Set([...keys.filter((key) => !byName.has(key)), ...listFigures(), ...CALENDAR_KEYS]),
];

/** A period of a company's calendar. */
type CalendarPeriod = Pick<PeriodColumn, 'label' | 'end'>;

/** Returns the newest periods of a company, newest first; empty if the user asks for no number of periods. */
export function listCalendarPeriods(rows: readonly MetricValue[], choice: PeriodChoice): readonly CalendarPeriod[] {
  if (choice.count === null) return [];
  return listNewestColumns(rows, choice).filter(({ isExtra, isTtm }) => !isExtra && !isTtm);
}

/** Average number of days of the periods whose labels are numbered. */
const [DAYS_PER_YEAR, DAYS_PER_QUARTER] = [365.25, 91.3];

/** Returns the position of a fiscal year or quarter in the order of all years or quarters; null for other labels. */
function readPeriodNumber(label: string) {
  const year = /^FY(\d+)$/.exec(label)?.[1];
  if (year !== undefined) return { value: Number(year), days: DAYS_PER_YEAR, format: (value: number) => `FY${value}` };
  const [, quarter, ofYear] = /^Q([1-4]) (\d+)$/.exec(label) ?? [];
  if (quarter === undefined || ofYear === undefined) return null;
  const format = (value: number) => `Q${(value % 4) + 1} ${Math.floor(value / 4)}`;
  return { value: Number(ofYear) * 4 + Number(quarter) - 1, days: DAYS_PER_QUARTER, format };
}

/** Returns the days of a fiscal year or quarter with this label; null for other labels. */
export const findPeriodLength = (label: string): number | null => readPeriodNumber(label)?.days ?? null;

/**
 * Returns the labels of the periods between two periods, newest first. Empty if their dates leave no room for these
 * periods: after a change of the fiscal year end, the number of a year may be missing.
 */
function listLabelsBetween(newer: CalendarPeriod, older: CalendarPeriod): readonly string[] {
  const [last, first] = [readPeriodNumber(newer.label), readPeriodNumber(older.label)];
  if (last === null || first === null || last.days !== first.days) return [];
  const count = last.value - first.value - 1;
  if (count < 1 || Math.round(countDaysBetween(older.end, newer.end) / last.days) - 1 !== count) return [];
  return Array.from({ length: count }, (_, index) => last.format(last.value - 1 - index));
}

/**
 * Returns the columns, with an empty column for each period of the company's calendar that has no value, and for each
 * year or quarter between two columns.
 * @param columns newest first
 * @param calendar the newest periods of the company, newest first; may be empty
 */
export function addMissingPeriods(columns: readonly PeriodColumn[], calendar: readonly CalendarPeriod[]) {
  const labels = new Set(columns.map(({ label }) => label));
  const empty = calendar.filter(({ label }) => !labels.has(label)).map(({ label, end }) => makeEmptyColumn(label, end));
  let newer: PeriodColumn | null = null;
  return [...columns, ...empty].sort(compareNewestFirst).flatMap((column) => {
    if (column.isTtm || column.isExtra || readPeriodNumber(column.label) === null) return [column];
    const between = newer === null ? [] : listLabelsBetween(newer, column);
    newer = column;
    return [...between.filter((label) => !labels.has(label)).map((label) => makeEmptyColumn(label, '')), column];
  });
}

function makeEmptyColumn(label: string, end: string): PeriodColumn {
  return { label, start: null, end, isTtm: false, isExtra: false, values: new Set(), seriesKeys: new Set() };
}

/**
 * Returns the newest columns: `count` regular columns, and the other columns between them. Regular columns are not
 * extra and, if the answer has any flows, have flows.
 */
function selectNewestColumns(columns: readonly PeriodColumn[], count: number | null): readonly PeriodColumn[] {
  if (count === null) return columns;
  const hasFlows = columns.some(({ start }) => start !== null);
  const countedColumns = columns.filter(({ start, isExtra }) => !isExtra && (start !== null) === hasFlows);
  const oldestCountedColumn = countedColumns[count - 1];
  return oldestCountedColumn === undefined ? columns : columns.slice(0, columns.indexOf(oldestCountedColumn) + 1);
}

/** Returns the latest trailing twelve months, and the balances at their end. */
function findNewestTtmRows(rows: readonly MetricValue[]): MetricValue[] {
  const endDates = rows.filter(isTtm).map(({ end_date: end }) => end);
  const newestTtmEnd = endDates.sort(compareText).at(-1);
  return rows.filter((row) => row.end_date === newestTtmEnd && (isTtm(row) || row.start_date == null));
}
