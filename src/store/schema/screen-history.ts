/**
 * The screener of past days: a row for each filing that changed a company's row, with only the changed cells. The
 * rows of a month are stored together: a day is read from the months with rows that are still valid, and a daily
 * build rewrites only the last month.
 */
import { INDUSTRY_COLUMNS, PRICED_COLUMNS, SCREEN_COLUMNS } from '../../contract/screen-columns.ts';
import { CIK_COLUMN, flag, flagOrNull, integer, type Table, table, text, textOrNull } from './table.ts';

/** The columns of the screener that only filings change. */
export const HISTORY_COLUMNS: readonly string[] = SCREEN_COLUMNS.filter(
  (name) => !PRICED_COLUMNS.has(name) && name !== 'coverage_state' && !INDUSTRY_COLUMNS.includes(name),
);

/**
 * The column with what price figures are derived from, if that is not what the row shows: `key=value` for the operand
 * of a ratio, `key+value` for what is added to the market capitalization; without a value for a missing figure.
 */
export const PRICED_OPERANDS = 'priced_operands';

/** Marks a cell that becomes empty on this day; null marks an unchanged cell. */
export const EMPTIED_CELL = '-';

export interface HistoryRow {
  /** A key made by `monthKey`. */
  readonly month: number;
  readonly cik: number;
  /** First day for which the row is valid. */
  readonly day: string;
  /** Whether the row is complete, so that null means missing; true for the first row of each fiscal year. */
  readonly whole: boolean;
  readonly [column: string]: string | number | boolean | null;
}

/**
 * Sorted by month, CIK, then day. Declared without `table()`, because the contract's column names are known only at
 * run time.
 */
export const SCREEN_HISTORY: Table<HistoryRow> = {
  name: 'screen_history',
  key: 'month',
  columns: [
    integer('month', 'month'),
    CIK_COLUMN,
    text('day', 'day'),
    flag('whole', 'whole'),
    ...HISTORY_COLUMNS.map((name) => textOrNull(name, name)),
    textOrNull(PRICED_OPERANDS, PRICED_OPERANDS),
  ],
};

/** The key of a day's month: 2019-06-28 is 201906. */
export function monthKey(day: string): number {
  return Number(day.slice(0, 4)) * 100 + Number(day.slice(5, 7));
}

/** The price of a company's primary security from a day of the month until its next row, or the month's end. */
export interface HistoryPriceRow {
  /** A key made by `monthKey`. */
  readonly month: number;
  readonly cik: number;
  readonly day: string;
  readonly priceDay: string;
  readonly price: string;
  /** The share count for the market capitalization, in shares of the price's day. */
  readonly shares: string | null;
  /** New shares per old share, from those that an amount per share is stated in to those of the price: `4:1`. */
  readonly earningsRatio: string | null;
  readonly dividendsRatio: string | null;
}

/** Sorted by month, CIK, then day. A company has a row at the start of a month if its last price still counts. */
export const SCREEN_HISTORY_PRICES = table<HistoryPriceRow>()({
  name: 'screen_history_prices',
  key: 'month',
  columns: [
    integer('month', 'month'),
    CIK_COLUMN,
    text('day', 'day'),
    text('price_day', 'priceDay'),
    text('price', 'price'),
    textOrNull('shares', 'shares'),
    textOrNull('earnings_ratio', 'earningsRatio'),
    textOrNull('dividends_ratio', 'dividendsRatio'),
  ],
});

/** A company with a row on any day. */
export interface HistoryCompany {
  readonly cik: number;
  readonly ticker: string;
  readonly exchange: string;
  readonly entityName: string;
  /** Day of its last annual or interim report; null without a list of its filings. */
  readonly lastReport: string | null;
  /** Whether it no longer reports; null if unknown. */
  readonly gone: boolean | null;
  readonly sic: string | null;
  readonly industry: string | null;
}

/** Sorted by ticker, the order of a screen. */
export const SCREEN_HISTORY_COMPANIES = table<HistoryCompany>()({
  name: 'screen_history_companies',
  key: null,
  columns: [
    CIK_COLUMN,
    text('ticker', 'ticker'),
    text('exchange', 'exchange'),
    text('entity_name', 'entityName'),
    textOrNull('last_report', 'lastReport'),
    flagOrNull('gone', 'gone'),
    textOrNull('sic', 'sic'),
    textOrNull('industry', 'industry'),
  ],
});
