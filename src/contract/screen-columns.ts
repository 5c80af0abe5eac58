/**
 * The screener's columns: the closed set of fields of a ScreenRow.
 *
 * The interface names 54 decimal figures and speaks of 55: the fifty-fifth is `fiscal_year`.
 */
import type { DerivedFigure, Metric } from './figures/formula.ts';
import { figureOf, isPriced } from './figures.ts';

/** In the interface's order. */
const KEYS = [
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

/** The decimal figures. */
export const SCREEN_FIGURES: readonly (Metric | DerivedFigure)[] = KEYS.map((key) => {
  const figure = figureOf(key);
  if (figure === null) throw new RangeError(`no figure ${key}`);
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

/** Valid in `where` and `sort`: the 54 decimals and `fiscal_year`. */
export const SCREEN_FILTERS: readonly string[] = [...SCREEN_FIGURES.map((figure) => figure.key), 'fiscal_year'];

/** Valid in `columns`: every field of a row except the four that are always included. */
export const SCREEN_COLUMNS: readonly string[] = [...SCREEN_FILTERS, ...SCREEN_DATES, 'coverage_state'];

/** Columns that depend on a market price, so that the release alone does not determine them. */
export const PRICED_COLUMNS: ReadonlySet<string> = new Set([
  ...SCREEN_FIGURES.map((figure) => figure.key).filter(isPriced),
  'price_day',
]);
