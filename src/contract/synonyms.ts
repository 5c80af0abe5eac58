import { FIGURES } from './figures.ts';

/** Other common names of figures, which are suggested for unknown keys, but not accepted as keys. Spaces separate names. */
const SYNONYMS: readonly (readonly [names: string, figures: string])[] = [
  ['sales turnover', 'revenue'],
  ['cogs cost_of_sales cost_of_goods_sold', 'cost_of_revenue'],
  ['rd r_and_d', 'research_and_development'],
  ['sga sg_and_a', 'selling_general_and_administrative'],
  ['opex', 'operating_expenses'],
  ['ebit operating_profit', 'operating_income'],
  ['ebt', 'pretax_income'],
  ['earnings profit net_profit net_earnings', 'net_income'],
  ['eps earnings_per_share', 'eps_diluted eps_basic'],
  ['cash', 'cash_and_equivalents'],
  ['ppe', 'property_plant_and_equipment'],
  ['debt', 'total_debt long_term_debt liabilities'],
  ['equity book_value shareholders_equity', 'stockholders_equity'],
  ['shares shares_outstanding', 'common_shares_outstanding'],
  ['da', 'depreciation_and_amortization'],
  ['sbc stock_based_compensation', 'share_based_compensation'],
  ['cfo ocf', 'operating_cash_flow'],
  ['capex', 'capital_expenditures'],
  ['fcf', 'free_cash_flow'],
  ['dividends', 'dividends_paid dividends_per_share'],
  ['dps', 'dividends_per_share'],
  ['buybacks', 'share_repurchases'],
  ['revenue_growth sales_growth', 'revenue_yoy'],
  ['earnings_growth', 'net_income_yoy'],
  ['profit_margin', 'net_margin'],
  ['ebit_margin', 'operating_margin'],
  ['return_on_equity', 'roe'],
  ['return_on_assets', 'roa'],
  ['debt_to_equity', 'liabilities_to_equity'],
  ['de_ratio', 'debt_to_equity liabilities_to_equity'],
  ['quick_ratio', 'current_ratio cash_ratio'],
  ['marketcap market_capitalization', 'market_cap'],
  ['pe_ratio price_to_earnings', 'pe pe_ttm'],
  ['ps_ratio price_to_sales', 'ps ps_ttm'],
  ['pb_ratio', 'pb'],
  ['yield', 'dividend_yield fcf_yield'],
];

/**
 * Returns the names for which the word is a synonym or the label; `P/E ratio` and `pe-ratio` are treated as `pe_ratio`.
 */
export function findNamesBySynonym(word: string, names: readonly string[]): string[] {
  const normalized = normalizeWord(word);
  const synonyms = SYNONYMS.flatMap(([words, keys]) => (words.split(' ').includes(normalized) ? keys.split(' ') : []));
  // Tables show labels, so users type them.
  const labels = FIGURES.filter(({ label }) => normalizeWord(label) === normalized).map(({ key }) => key);
  return [...synonyms, ...labels].filter((name) => names.includes(name));
}

/** Returns a word as keys are written: `P/E ratio` becomes `pe_ratio`. */
export const normalizeWord = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/&/g, '_and_')
    .replace(/\//g, '')
    .replace(/[\s-]+/g, '_');
