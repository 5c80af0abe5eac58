/**
 * The screener's columns: the closed set of ScreenRow (interface, "Screener").
 *
 * The interface names 54 decimal figures and speaks of 55: the fifty-fifth is `fiscal_year`
 * (choices.md). Order is the interface's own.
 */
import type { Measure } from './figures.ts';

export interface ScreenFigureDefinition {
  readonly key: string;
  readonly label: string;
  readonly measure: Measure;
  /** Depends on a market price, so a release alone does not fix it. */
  readonly priced: boolean;
  /** How it is reckoned; null for a figure read as it was reported. */
  readonly formula: string | null;
}

const figure = (
  key: string,
  label: string,
  measure: Measure,
  formula: string | null = null,
): ScreenFigureDefinition => ({
  key,
  label,
  measure,
  priced: false,
  formula,
});
const priced = (key: string, label: string, measure: Measure, formula: string | null): ScreenFigureDefinition => ({
  ...figure(key, label, measure, formula),
  priced: true,
});

export const SCREEN_FIGURES: readonly ScreenFigureDefinition[] = [
  figure('revenue', 'Revenue', 'money'),
  figure('gross_profit', 'Gross profit', 'money'),
  figure('operating_income', 'Operating income', 'money'),
  figure('net_income', 'Net income', 'money'),
  figure('eps_diluted', 'Diluted EPS', 'per_share'),
  figure('operating_cash_flow', 'Operating cash flow', 'money'),
  figure('capital_expenditures', 'Capital expenditures', 'money'),
  figure('free_cash_flow', 'Free cash flow', 'money', 'operating_cash_flow - capital_expenditures'),
  figure('share_based_compensation', 'Share-based compensation', 'money'),
  figure('depreciation_and_amortization', 'Depreciation and amortization', 'money'),
  figure('revenue_prior', 'Revenue, year before', 'money'),
  figure('net_income_prior', 'Net income, year before', 'money'),
  figure('assets', 'Total assets', 'money'),
  figure('current_assets', 'Current assets', 'money'),
  figure('cash_and_equivalents', 'Cash and equivalents', 'money'),
  figure('liabilities', 'Total liabilities', 'money'),
  figure('current_liabilities', 'Current liabilities', 'money'),
  figure('stockholders_equity', "Stockholders' equity", 'money'),
  figure('common_shares_outstanding', 'Common shares outstanding', 'shares'),
  figure('public_float', 'Public float', 'money'),
  figure('gross_margin', 'Gross margin', 'fraction', 'gross_profit / revenue'),
  figure('operating_margin', 'Operating margin', 'fraction', 'operating_income / revenue'),
  figure('net_margin', 'Net margin', 'fraction', 'net_income / revenue'),
  figure('fcf_margin', 'Free cash flow margin', 'fraction', 'free_cash_flow / revenue'),
  figure('roe', 'Return on equity', 'fraction', 'net_income / stockholders_equity'),
  figure('roa', 'Return on assets', 'fraction', 'net_income / assets'),
  figure('current_ratio', 'Current ratio', 'multiple', 'current_assets / current_liabilities'),
  figure('cash_ratio', 'Cash ratio', 'multiple', 'cash_and_equivalents / current_liabilities'),
  figure('liabilities_to_equity', 'Liabilities to equity', 'multiple', 'liabilities / stockholders_equity'),
  figure('revenue_yoy', 'Revenue growth', 'fraction', '(revenue - revenue_prior) / |revenue_prior|'),
  figure('net_income_yoy', 'Net income growth', 'fraction', '(net_income - net_income_prior) / |net_income_prior|'),
  figure('capex_intensity', 'Capex to revenue', 'fraction', 'capital_expenditures / revenue'),
  figure('sbc_intensity', 'Share-based compensation to revenue', 'fraction', 'share_based_compensation / revenue'),
  figure('dividends_paid', 'Dividends paid', 'money'),
  figure('share_repurchases', 'Share repurchases', 'money'),
  figure('dividends_per_share', 'Dividends per share', 'per_share'),
  figure('capital_returns', 'Capital returned', 'money', 'dividends_paid + share_repurchases'),
  figure('payout_ratio', 'Payout ratio', 'fraction', 'dividends_paid / net_income'),
  figure(
    'capital_returns_to_fcf',
    'Capital returned to free cash flow',
    'fraction',
    'capital_returns / free_cash_flow',
  ),
  figure(
    'shares_change',
    'Change in shares',
    'fraction',
    '(common_shares_outstanding - shares a year earlier) / shares a year earlier',
  ),
  priced('price', 'Price', 'per_share', null),
  priced('market_cap', 'Market cap', 'money', 'price * common_shares_outstanding'),
  priced('pe', 'Price to earnings', 'multiple', 'price / eps_diluted'),
  priced('ps', 'Price to sales', 'multiple', 'market_cap / revenue'),
  priced('pb', 'Price to book', 'multiple', 'market_cap / stockholders_equity'),
  priced('fcf_yield', 'Free cash flow yield', 'fraction', 'free_cash_flow / market_cap'),
  priced('dividend_yield', 'Dividend yield', 'fraction', 'dividends_per_share / price'),
  figure('revenue_ttm', 'Revenue, twelve months', 'money', 'sum of the latest four quarters of revenue'),
  figure('net_income_ttm', 'Net income, twelve months', 'money', 'sum of the latest four quarters of net_income'),
  figure(
    'operating_cash_flow_ttm',
    'Operating cash flow, twelve months',
    'money',
    'sum of the latest four quarters of operating_cash_flow',
  ),
  figure(
    'free_cash_flow_ttm',
    'Free cash flow, twelve months',
    'money',
    'sum of the latest four quarters of free_cash_flow',
  ),
  priced('pe_ttm', 'Price to earnings, twelve months', 'multiple', 'market_cap / net_income_ttm'),
  priced('ps_ttm', 'Price to sales, twelve months', 'multiple', 'market_cap / revenue_ttm'),
  priced('fcf_yield_ttm', 'Free cash flow yield, twelve months', 'fraction', 'free_cash_flow_ttm / market_cap'),
];

/** Columns that are not decimals: they may be shown, and only `fiscal_year` filtered and sorted. */
export const SCREEN_DATES: readonly string[] = [
  'annual_end_date',
  'instant_end_date',
  'prior_annual_end_date',
  'public_float_end_date',
  'shares_outstanding_end_date',
  'price_day',
  'ttm_end_date',
];

const FIGURE_KEYS = SCREEN_FIGURES.map((entry) => entry.key);

/** What `where` and `sort` take: the 54 decimals and `fiscal_year`. */
export const SCREEN_FILTERS: readonly string[] = [...FIGURE_KEYS, 'fiscal_year'];

/** What `columns` takes: every field of a row but the four that are always there. */
export const SCREEN_COLUMNS: readonly string[] = [...SCREEN_FILTERS, ...SCREEN_DATES, 'coverage_state'];

/** Columns whose value a market price moves, and which a release therefore does not cover. */
export const PRICED_COLUMNS: ReadonlySet<string> = new Set([
  ...SCREEN_FIGURES.filter((entry) => entry.priced).map((entry) => entry.key),
  'price_day',
]);
