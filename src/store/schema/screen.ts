/**
 * Tables of the screener, of the number of companies with each figure, and of past screens. For each filing that changed
 * a company's screener row, a row of the history stores the changed cells. Rows of the history are stored by month, so
 * that reading a day needs only the months with valid rows, and a daily build rewrites only the last month.
 */
import { findDefinition } from '../../contract/figures.ts';
import {
  DATE_COLUMNS,
  INDUSTRY_COLUMNS,
  PRICED_COLUMNS,
  SCREEN_COLUMNS,
  UNCONFIRMED,
} from '../../contract/screen-columns.ts';
import type { Column } from './columns.ts';
import { day, decimal, flag, integer, text } from './columns.ts';
import { ENTITY_NAME_COLUMN, GONE_COLUMN, INDUSTRY_COLUMN, LAST_REPORT_COLUMN, SIC_COLUMN } from './companies.ts';
import { CIK_COLUMN, declareTable, type RowOf, type Table } from './declare-table.ts';

/** Descriptions of the columns that are not figures. */
const DESCRIPTIONS: Readonly<Record<string, string | undefined>> = {
  fiscal_year: 'Fiscal year of the annual figures',
  annual_end_date: 'Last day of the fiscal year',
  instant_end_date: 'Date of the balance sheet',
  prior_annual_end_date: 'Last day of the previous fiscal year',
  public_float_end_date: 'Date of the public float',
  shares_outstanding_end_date: 'Date of the share count',
  shares_change_end_date: 'Date of the share count on the cover of the annual report, whose change the row has',
  price_day: 'Date of the price',
  ttm_end_date: 'Last day of the trailing twelve months',
  coverage_state: 'always "covered": the company has an annual revenue, an annual net income or total assets',
  sic: SIC_COLUMN.about,
  industry: INDUSTRY_COLUMN.about,
  currency: 'Currency in which the company reports its figures, such as USD',
};

/** Returns a column of SCREEN_COLUMNS; its field has the same name. The description is empty if it is missing. */
export function declareScreenColumn(name: string): Column {
  const figure = findDefinition(name);
  const about = DESCRIPTIONS[name] ?? figure?.label ?? '';
  if (name === 'fiscal_year') return integer('fiscal_year?', about, { field: name });
  const declare = DATE_COLUMNS.includes(name) ? day : figure === null ? text : decimal;
  return declare(`${name}?`, about, { field: name });
}

/** A screener row; fields have the names of the columns. */
export interface ScreenRow {
  readonly cik: number;
  readonly ticker: string;
  readonly exchange: string;
  readonly entity_name: string;
  readonly [column: string]: string | number | null;
}

/**
 * One row per company with coverage state `covered` and an active security, sorted by primary ticker. Companies whose
 * figures all end before `--screen-since` are omitted. Declared without `table()`, because the contract's column names
 * are only known at run time.
 */
export const SCREEN: Table<ScreenRow> = {
  name: 'screen',
  typed: {
    about:
      'One row for each company with an annual revenue, an annual net income or total assets, and with a listed security: its latest annual figures, balances, ratios and price. ' +
      'A release built with --screen-since leaves out companies whose figures all end before that day.',
    order: 'ticker',
  },
  key: null,
  columns: [
    CIK_COLUMN,
    text('ticker', 'Primary ticker'),
    text('exchange', 'Stock exchange'),
    { ...ENTITY_NAME_COLUMN, field: 'entity_name' },
    ...SCREEN_COLUMNS.map(declareScreenColumn),
    text(`${UNCONFIRMED}?`),
  ],
};

export const COVERAGE = declareTable({
  name: 'coverage',
  key: null,
  columns: [text('metric_key'), integer('company_count')],
});

/** Number of companies with a figure for a metric or ratio. */
export type Coverage = RowOf<typeof COVERAGE>;

/** The screener columns that only change with filings, and not with prices. */
export const HISTORY_COLUMNS: readonly string[] = SCREEN_COLUMNS.filter(
  (name) => !PRICED_COLUMNS.has(name) && name !== 'coverage_state' && !INDUSTRY_COLUMNS.includes(name),
);

/** Columns of the trailing twelve months, which are valid until 185 days after the period ends. */
export const TWELVE_MONTHS_COLUMNS: readonly string[] = HISTORY_COLUMNS.filter(
  (name) => name === 'ttm_end_date' || findDefinition(name)?.formula?.kind === 'twelve_months',
);

/** The columns that quarterly reports change: trailing twelve months and share counts. */
export const QUARTERLY_COLUMNS: ReadonlySet<string> = new Set([
  ...TWELVE_MONTHS_COLUMNS,
  ...['common_shares_outstanding', 'shares_outstanding_end_date', 'shares_change', 'shares_change_3y'],
]);

/**
 * Name of the column of amounts, as filed, for figures that need a price. `pe=6.13` means that `pe` uses earnings per
 * share of 6.13 instead of the row's (`pe=`: unknown); `enterprise_value+500` means that 500 is added to the market
 * capitalization.
 */
export const PRICED_OPERANDS = 'priced_operands';

/** The text of a cell that becomes empty on the day of its row; null means that the cell is unchanged. */
export const EMPTIED_CELL = '-';

/**
 * Number of months before a day's own month that are read for the day. In the month after these, a company without a
 * new complete row gets one that repeats its valid values. Values of a too old fiscal year are not repeated.
 */
export const REPEAT_MONTHS = 13;

export interface HistoryRow {
  /** The month's key, as returned by `computeMonthKey`: 201906 for June 2019. */
  readonly month: number;
  readonly cik: number;
  /** First day on which the row is valid. */
  readonly day: string;
  /**
   * Whether the row is complete, so that null means a missing figure. The first row of each fiscal year is complete.
   */
  readonly whole: boolean;
  /** Whether the row only repeats valid values as a complete row; see REPEAT_MONTHS. */
  readonly repeated: boolean;
  readonly [column: string]: string | number | boolean | null;
}

/**
 * Sorted by month, CIK, day. Declared without `table()`, because the contract's column names are only known at run
 * time.
 */
export const SCREEN_HISTORY: Table<HistoryRow> = {
  name: 'screen_history',
  typed: {
    about:
      'Past rows of the screener, without prices: a new row for each day on which a filing changed the figures of a company. ' +
      'To read the rows that are valid on a day: FROM screen_as_of(day). The macro leaves out rows whose fiscal year ended more than ' +
      '18 months before the day; figures of trailing twelve months that ended more than 185 days before the day are null. ' +
      'A row in which every figure is null means that the company has no figures from that day on.',
    order: 'month of valid_from, then cik, then valid_from',
  },
  key: 'month',
  columns: [
    integer('month'),
    CIK_COLUMN,
    day('day', 'First day on which the row is valid: the date of the filing', { typedName: 'valid_from' }),
    flag('whole'),
    flag('repeated', { absent: false }),
    ...HISTORY_COLUMNS.map((name) => ({ ...declareScreenColumn(name), type: 'text' as const })),
    text(`${PRICED_OPERANDS}?`, { field: PRICED_OPERANDS }),
    text(`${UNCONFIRMED}?`),
  ],
};

/** Returns the key of a day's month: 201906 for 2019-06-28. */
export const computeMonthKey = (day: string): number => Number(day.slice(0, 4)) * 100 + Number(day.slice(5, 7));

/** Sorted by month, CIK, day. The first row of a month repeats the last price if it is still valid. */
export const HISTORY_PRICES = declareTable({
  name: 'screen_history_prices',
  key: 'month',
  columns: [
    integer('month'),
    CIK_COLUMN,
    day('day'),
    day('price_day'),
    decimal('price'),
    decimal('shares?'),
    text('earnings_ratio?'),
    text('dividends_ratio?'),
  ],
});

/**
 * The price of a company's primary security. Valid from `day` to the company's next row, at most to the end of the
 * month.
 */
export type HistoryPriceRow = RowOf<typeof HISTORY_PRICES>;

/** Sorted by ticker, like the screener. */
export const HISTORY_COMPANIES = declareTable({
  name: 'screen_history_companies',
  typed: {
    about:
      'One row for each company in screen_history, with its current ticker and name. Companies that have stopped reporting are included.',
    order: 'ticker',
  },
  key: null,
  groupRows: 1000,
  columns: [
    CIK_COLUMN,
    text('ticker', 'Primary ticker; if the company has none today, its last one or "CIK" followed by ten digits'),
    text('exchange', 'Stock exchange; empty if the company has no ticker today'),
    flag('is_active?', 'Whether the company has a ticker today'),
    ENTITY_NAME_COLUMN,
    LAST_REPORT_COLUMN,
    GONE_COLUMN,
    SIC_COLUMN,
    INDUSTRY_COLUMN,
  ],
});

/** A company with a screener row on at least one past day. */
export type HistoryCompany = RowOf<typeof HISTORY_COMPANIES>;
