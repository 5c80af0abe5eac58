/**
 * The screener's columns: the columns of the HTTP API, and columns that fin adds, which an answer contains only if
 * requested. The HTTP API lists 54 decimal figures but counts 55: the fifty-fifth is `fiscal_year`.
 */

import { dependsOnPrice, findDefinition } from './figures.ts';
import type { DerivedFigure } from './statements/formula.ts';
import type { Metric } from './statements/line.ts';

/** Keys of the HTTP API's figure columns, in the HTTP API's order. */
const API_FIGURE_KEYS = [
  'revenue',
  'gross_profit',
  'operating_income',
  'net_income',
  'eps_diluted',
  'operating_cash_flow',
  'capital_expenditures',
  'free_cash_flow',
  'share_based_compensation',
  'depreciation_and_amortization',
  'revenue_prior',
  'net_income_prior',
  'assets',
  'current_assets',
  'cash_and_equivalents',
  'liabilities',
  'current_liabilities',
  'stockholders_equity',
  'common_shares_outstanding',
  'public_float',
  'gross_margin',
  'operating_margin',
  'net_margin',
  'fcf_margin',
  'roe',
  'roa',
  'current_ratio',
  'cash_ratio',
  'liabilities_to_equity',
  'revenue_yoy',
  'net_income_yoy',
  'capex_intensity',
  'sbc_intensity',
  'dividends_paid',
  'share_repurchases',
  'dividends_per_share',
  'capital_returns',
  'payout_ratio',
  'capital_returns_to_fcf',
  'shares_change',
  'price',
  'market_cap',
  'pe',
  'ps',
  'pb',
  'fcf_yield',
  'dividend_yield',
  'revenue_ttm',
  'net_income_ttm',
  'operating_cash_flow_ttm',
  'free_cash_flow_ttm',
  'pe_ttm',
  'ps_ttm',
  'fcf_yield_ttm',
];

/** Keys of figures that fin adds to the HTTP API. */
const ADDED_FIGURE_KEYS = [
  'ebitda',
  'ebitda_margin',
  'total_debt',
  'net_debt',
  'debt_to_ebitda',
  'interest_coverage',
  'revenue_cagr_3y',
  'revenue_cagr_5y',
  'eps_diluted_cagr_3y',
  'eps_diluted_cagr_5y',
  'shares_change_3y',
  'enterprise_value',
  'ev_to_ebitda',
  'ev_to_revenue',
];

/** All decimal figures of the screener. */
export const SCREEN_FIGURES: readonly (Metric | DerivedFigure)[] = [...API_FIGURE_KEYS, ...ADDED_FIGURE_KEYS].map(
  (key) => {
    const figure = findDefinition(key);
    if (figure === null) throw new RangeError(`unknown figure ${key}`);
    return figure;
  },
);

/** Columns with dates. They can be shown, but not used in filters or for sorting. */
export const DATE_COLUMNS: readonly string[] = [
  'annual_end_date',
  'instant_end_date',
  'prior_annual_end_date',
  'public_float_end_date',
  'shares_outstanding_end_date',
  'price_day',
  'ttm_end_date',
  'shares_change_end_date',
];

/** Columns with dates that fin adds to the HTTP API. */
const ADDED_DATES = ['shares_change_end_date'];

/** Columns with a company's industry, an addition of fin. */
export const INDUSTRY_COLUMNS: readonly string[] = ['sic', 'industry'];

/** Column with the currency in which the company reports its figures, an addition of fin. */
export const CURRENCY_COLUMN = 'currency';

/**
 * Field of a row that names the row's unconfirmed columns, an addition of fin. Rows without unconfirmed columns lack
 * the field.
 */
export const UNCONFIRMED = 'unconfirmed';

/** Columns that fin adds to the HTTP API; an answer contains them only if the question names them. */
export const ADDED_COLUMNS: ReadonlySet<string> = new Set([
  ...ADDED_FIGURE_KEYS,
  ...INDUSTRY_COLUMNS,
  ...ADDED_DATES,
  CURRENCY_COLUMN,
]);

/** Columns that are valid in `where` and `sort`: the decimal figures and `fiscal_year`. */
export const FILTER_COLUMNS: readonly string[] = [...SCREEN_FIGURES.map((figure) => figure.key), 'fiscal_year'];

/** Columns that are valid in `columns`; a row always has `cik`, `ticker`, `exchange` and `entity_name`. */
export const SCREEN_COLUMNS: readonly string[] = [
  ...FILTER_COLUMNS,
  ...DATE_COLUMNS,
  'coverage_state',
  ...INDUSTRY_COLUMNS,
  CURRENCY_COLUMN,
];

/** The columns of an answer if the parameter `columns` is missing: all columns of the HTTP API. */
export const DEFAULT_COLUMNS: readonly string[] = SCREEN_COLUMNS.filter((name) => !ADDED_COLUMNS.has(name));

/** Columns that depend on a market price, and so may change without a new release. */
export const PRICED_COLUMNS: ReadonlySet<string> = new Set([
  ...SCREEN_FIGURES.map((figure) => figure.key).filter(dependsOnPrice),
  'price_day',
]);
