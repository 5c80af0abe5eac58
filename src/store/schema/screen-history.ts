/**
 * The screener of past days: of each company the row that a filing changed, on the day of the filing, and in it only what
 * changed. Rows of a month stand together, so that a day reads the months of which a row may still count, and a night
 * writes the last month anew.
 */
import { PRICED_COLUMNS, SCREEN_COLUMNS } from '../../contract/screen-columns.ts';
import { CIK, flag, flagOrNull, integer, type Table, table, text, textOrNull } from './table.ts';

/** The columns of the screener that filings alone change. */
export const HISTORY_COLUMNS: readonly string[] = SCREEN_COLUMNS.filter(
  (name) => !PRICED_COLUMNS.has(name) && name !== 'coverage_state',
);

/** The cell of a column that had a value before and has none from this day on; a null says that nothing changed. */
export const NOW_EMPTY = '-';

export interface HistoryRow {
  /** The month of the day, as `monthKey` has it. */
  readonly month: number;
  readonly cik: number;
  /** The row holds from this day on. */
  readonly day: string;
  /** Whether it is the whole row, in which a null is a missing value: with it a fiscal year begins. */
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
