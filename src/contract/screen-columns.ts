/**
 * The screener's columns: the closed set of fields of a ScreenRow, and ours, which an answer has only by name.
 *
 * The interface names 54 decimal figures and speaks of 55: the fifty-fifth is `fiscal_year`.
 */
import type { DerivedFigure, Metric } from './figures/formula.ts';
import { figureOf, isPriced } from './figures.ts';

/** Columns in the interface's order. */
const COLUMN_KEYS = [
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

/** Figures that the interface does not have. */
const ADDED_KEYS = [
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

/** The decimal figures. */
export const SCREEN_FIGURES: readonly (Metric | DerivedFigure)[] = [...COLUMN_KEYS, ...ADDED_KEYS].map((key) => {
  const figure = figureOf(key);
  if (figure === null) throw new RangeError(`unknown figure ${key}`);
  return figure;
});

/** Columns that are not decimals: they can be shown, but only `fiscal_year` can be filtered and sorted. */
export const SCREEN_DATES: readonly string[] = [
  'annual_end_date',
  'instant_end_date',
  'prior_annual_end_date',
  'public_float_end_date',
  'shares_outstanding_end_date',
  'price_day',
  'ttm_end_date',
];

/** The industry of a company, which the interface does not have. */
export const INDUSTRY_COLUMNS: readonly string[] = ['sic', 'industry'];

/** Columns that the interface does not have: an answer has them only if the question names them. */
export const ADDED_COLUMNS: ReadonlySet<string> = new Set([...ADDED_KEYS, ...INDUSTRY_COLUMNS]);

/** Valid in `where` and `sort`: the decimals and `fiscal_year`. */
export const SCREEN_FILTERS: readonly string[] = [...SCREEN_FIGURES.map((figure) => figure.key), 'fiscal_year'];

/** Valid in `columns`: every field of a row except the four that are always included. */
export const SCREEN_COLUMNS: readonly string[] = [
  ...SCREEN_FILTERS,
  ...SCREEN_DATES,
  'coverage_state',
  ...INDUSTRY_COLUMNS,
];

/** The columns of an answer to a question that names none: those of the interface. */
export const PLAIN_COLUMNS: readonly string[] = SCREEN_COLUMNS.filter((name) => !ADDED_COLUMNS.has(name));

/** Columns that depend on a market price, so that the release alone does not determine them. */
export const PRICED_COLUMNS: ReadonlySet<string> = new Set([
  ...SCREEN_FIGURES.map((figure) => figure.key).filter(isPriced),
  'price_day',
]);
