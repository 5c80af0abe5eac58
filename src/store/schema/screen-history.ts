/**
 * The screener of past days: a row for each filing that changed a company's row, with only the cells that it changed. Rows of
 * a month are stored together: a day is read from the months whose rows may still count, and a night rewrites the last month.
 */
import { PRICED_COLUMNS, SCREEN_COLUMNS } from '../../contract/screen-columns.ts';
import { CIK, flag, flagOrNull, integer, type Table, table, text, textOrNull } from './table.ts';

/** The columns of the screener that filings alone change. */
export const HISTORY_COLUMNS: readonly string[] = SCREEN_COLUMNS.filter(
  (name) => !PRICED_COLUMNS.has(name) && name !== 'coverage_state',
);

/** Marks a cell that is empty from this day on; null marks an unchanged one. */
export const NOW_EMPTY = '-';

export interface HistoryRow {
  /** The month of the day, as `monthKey` has it. */
  readonly month: number;
  readonly cik: number;
  /** The row holds from this day on. */
  readonly day: string;
  /** Whether the row is complete: a null is then a missing value. The first row of each fiscal year is. */
  readonly whole: boolean;
  readonly [column: string]: string | number | boolean | null;
}

/**
 * In order of month, then cik, then day.
 * Declared without `table()`: the names of its columns are the contract's and known at run time only.
 */
export const SCREEN_HISTORY: Table<HistoryRow> = {
  name: 'screen_history',
  key: 'month',
  columns: [
    integer('month', 'month'),
    CIK,
    text('day', 'day'),
    flag('whole', 'whole'),
    ...HISTORY_COLUMNS.map((name) => textOrNull(name, name)),
  ],
};

/** The key of a day's month: 2019-06-28 is 201906. */
export function monthKey(day: string): number {
  return Number(day.slice(0, 4)) * 100 + Number(day.slice(5, 7));
}

/** A company that has a row on some day. */
export interface HistoryCompany {
  readonly cik: number;
  readonly ticker: string;
  readonly exchange: string;
  readonly entityName: string;
  /** The day of its last annual or interim report; null where no list of its filings was read. */
  readonly lastReport: string | null;
  /** Whether it no longer reports; null where that is not known. */
  readonly gone: boolean | null;
}

/** In order of ticker, which is the order of a screen. */
export const SCREEN_HISTORY_COMPANIES = table<HistoryCompany>()({
  name: 'screen_history_companies',
  key: null,
  columns: [
    CIK,
    text('ticker', 'ticker'),
    text('exchange', 'exchange'),
    text('entity_name', 'entityName'),
    textOrNull('last_report', 'lastReport'),
    flagOrNull('gone', 'gone'),
  ],
});
