/** Tables of the screener, and of the number of companies with each figure. */
import { findDefinition } from '../../contract/figures.ts';
import { DATE_COLUMNS, SCREEN_COLUMNS, UNCONFIRMED } from '../../contract/screen-columns.ts';
import { type Column, dayOrNull, decimalOrNull, integer, integerOrNull, text, textOrNull } from './columns.ts';
import { ENTITY_NAME_COLUMN, INDUSTRY_COLUMN, SIC_COLUMN } from './companies.ts';
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
  if (name === 'fiscal_year') return integerOrNull(name, about, { field: name });
  const declare = DATE_COLUMNS.includes(name) ? dayOrNull : figure === null ? textOrNull : decimalOrNull;
  return declare(name, about, { field: name });
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
    textOrNull(UNCONFIRMED),
  ],
};

export const COVERAGE = declareTable({
  name: 'coverage',
  key: null,
  columns: [text('metric_key'), integer('company_count')],
});

/** Number of companies with a figure for a metric or ratio. */
export type Coverage = RowOf<typeof COVERAGE>;
