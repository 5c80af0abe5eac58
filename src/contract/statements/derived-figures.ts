/** Figures that belong to no statement: ratios, changes, sums of lines, and figures that only the screener has. */
import type { DerivedFigure, Formula, Measure } from './formula.ts';
import { compoundGrowth, growth, ratio, sum, sumOfSameFilings, twelveMonths, yearBefore } from './formula.ts';

/** Returns a function that declares figures of one measure, each by its key, label and formula. */
const declareFigures =
  <M extends Measure>(measure: M) =>
  <const K extends string, const F extends Formula>(key: K, label: string, formula: F) =>
    ({ key, label, measure, formula }) as const;

const money = declareFigures('money');
const fraction = declareFigures('fraction');
const multiple = declareFigures('multiple');

export const DERIVED_FIGURES = [
  money('revenue_prior', 'Revenue, previous year', yearBefore('revenue')),
  money('net_income_prior', 'Net income, previous year', yearBefore('net_income')),
  fraction('gross_margin', 'Gross margin', ratio('gross_profit', 'revenue')),
  fraction('operating_margin', 'Operating margin', ratio('operating_income', 'revenue')),
  fraction('efficiency_ratio', 'Efficiency ratio of a bank', ratio('noninterest_expense', 'revenue')),
  money(
    'underwriting_costs',
    'Underwriting costs',
    sumOfSameFilings(['claims_incurred', 'acquisition_cost_amortization', 'other_underwriting_expenses']),
  ),
  fraction('combined_ratio', 'Combined ratio of an insurer', ratio('underwriting_costs', 'premiums_earned')),
  fraction('loans_to_deposits', 'Loans to deposits', ratio('loans', 'deposits')),
  fraction('net_margin', 'Net margin', ratio('net_income', 'revenue')),
  fraction('fcf_margin', 'Free cash flow margin', ratio('free_cash_flow', 'revenue')),
  fraction('roe', 'Return on equity', ratio('net_income', 'stockholders_equity')),
  fraction('roa', 'Return on assets', ratio('net_income', 'assets')),
  multiple('current_ratio', 'Current ratio', ratio('current_assets', 'current_liabilities')),
  multiple('cash_ratio', 'Cash ratio', ratio('cash_and_equivalents', 'current_liabilities')),
  multiple('liabilities_to_equity', 'Liabilities to equity', ratio('liabilities', 'stockholders_equity')),
  fraction('revenue_yoy', 'Revenue growth', growth('revenue')),
  fraction('net_income_yoy', 'Net income growth', growth('net_income')),
  fraction('capex_intensity', 'Capex to revenue', ratio('capital_expenditures', 'revenue')),
  fraction('sbc_intensity', 'Share-based compensation to revenue', ratio('share_based_compensation', 'revenue')),
  money('capital_returns', 'Capital returned', sum(['dividends_paid', 'share_repurchases'])),
  fraction('payout_ratio', 'Payout ratio', ratio('dividends_paid', 'net_income')),
  fraction(
    'capital_returns_to_fcf',
    'Capital returned as a share of free cash flow',
    ratio('capital_returns', 'free_cash_flow'),
  ),
  fraction('shares_change', 'Change in shares', growth('common_shares_outstanding')),
  { key: 'price', label: 'Price', measure: 'per_share', formula: { kind: 'market' } },
  money('market_cap', 'Market cap', { kind: 'market', product: ['price', 'common_shares_outstanding'] }),
  multiple('pe', 'Price to earnings', ratio('price', 'eps_diluted')),
  multiple('ps', 'Price to sales', ratio('market_cap', 'revenue')),
  multiple('pb', 'Price to book', ratio('market_cap', 'stockholders_equity')),
  fraction('fcf_yield', 'Free cash flow yield', ratio('free_cash_flow', 'market_cap')),
  fraction('dividend_yield', 'Dividend yield', ratio('dividends_per_share', 'price')),
  money('revenue_ttm', 'Revenue, twelve months', twelveMonths('revenue')),
  money('net_income_ttm', 'Net income, twelve months', twelveMonths('net_income')),
  money('operating_cash_flow_ttm', 'Operating cash flow, twelve months', twelveMonths('operating_cash_flow')),
  money('free_cash_flow_ttm', 'Free cash flow, twelve months', twelveMonths('free_cash_flow')),
  multiple('pe_ttm', 'Price to earnings, twelve months', ratio('market_cap', 'net_income_ttm')),
  multiple('ps_ttm', 'Price to sales, twelve months', ratio('market_cap', 'revenue_ttm')),
  fraction('fcf_yield_ttm', 'Free cash flow yield, twelve months', ratio('free_cash_flow_ttm', 'market_cap')),
  fraction('ebitda_margin', 'EBITDA margin', ratio('ebitda', 'revenue')),
  fraction('rd_intensity', 'Research and development to revenue', ratio('research_and_development', 'revenue')),
  fraction(
    'sga_to_revenue',
    'Selling, general and administrative to revenue',
    ratio('selling_general_and_administrative', 'revenue'),
  ),
  fraction('effective_tax_rate', 'Effective tax rate', ratio('income_tax', 'pretax_income')),
  multiple('interest_coverage', 'Interest coverage', ratio('operating_income', 'interest_expense')),
  multiple('debt_to_equity', 'Debt to equity', ratio('total_debt', 'stockholders_equity')),
  multiple('debt_to_ebitda', 'Debt to EBITDA', ratio('total_debt', 'ebitda')),
  multiple('net_debt_to_ebitda', 'Net debt to EBITDA', ratio('net_debt', 'ebitda')),
  fraction('operating_income_yoy', 'Operating income growth', growth('operating_income')),
  fraction('eps_diluted_yoy', 'Diluted EPS growth', growth('eps_diluted')),
  fraction('free_cash_flow_yoy', 'Free cash flow growth', growth('free_cash_flow')),
  money(
    'enterprise_value',
    'Enterprise value',
    sum(['market_cap', 'net_debt'], { plusIfReported: ['noncontrolling_interests', 'temporary_equity'] }),
  ),
  multiple('ev_to_ebitda', 'EV to EBITDA', ratio('enterprise_value', 'ebitda')),
  multiple('ev_to_revenue', 'EV to sales', ratio('enterprise_value', 'revenue')),
  fraction('revenue_cagr_3y', 'Revenue CAGR, 3 years', compoundGrowth('revenue', 3)),
  fraction('revenue_cagr_5y', 'Revenue CAGR, 5 years', compoundGrowth('revenue', 5)),
  fraction('eps_diluted_cagr_3y', 'Diluted EPS CAGR, 3 years', compoundGrowth('eps_diluted', 3)),
  fraction('eps_diluted_cagr_5y', 'Diluted EPS CAGR, 5 years', compoundGrowth('eps_diluted', 5)),
  fraction('shares_change_3y', 'Change in shares, 3 years', growth('common_shares_outstanding', 3)),
] as const satisfies readonly DerivedFigure[];
