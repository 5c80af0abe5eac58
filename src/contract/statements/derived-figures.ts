/** Figures that belong to no statement: ratios, changes, sums of lines, and figures that only the screener has. */
import type { DerivedFigure, Formula, Measure } from './formula.ts';
import { defineCompoundGrowth, defineGrowth, defineRatio, defineTwelveMonths, defineYearBefore } from './formula.ts';

/** Returns the function that declares figures of a measure by their key, label and formula. */
const declareFigures =
  <M extends Measure>(measure: M) =>
  <const K extends string, const F extends Formula>(key: K, label: string, formula: F) =>
    ({ key, label, measure, formula }) as const;

const money = declareFigures('money');
const fraction = declareFigures('fraction');
const multiple = declareFigures('multiple');

export const DERIVED_FIGURES = [
  money('revenue_prior', 'Revenue, previous year', defineYearBefore('revenue')),
  money('net_income_prior', 'Net income, previous year', defineYearBefore('net_income')),
  fraction('gross_margin', 'Gross margin', defineRatio('gross_profit', 'revenue')),
  fraction('operating_margin', 'Operating margin', defineRatio('operating_income', 'revenue')),
  fraction('efficiency_ratio', 'Efficiency ratio of a bank', defineRatio('noninterest_expense', 'revenue')),
  money('underwriting_costs', 'Underwriting costs', {
    kind: 'sum',
    plus: ['claims_incurred', 'acquisition_cost_amortization', 'other_underwriting_expenses'],
    sameFilings: true,
  }),
  fraction('combined_ratio', 'Combined ratio of an insurer', defineRatio('underwriting_costs', 'premiums_earned')),
  fraction('loans_to_deposits', 'Loans to deposits', defineRatio('loans', 'deposits')),
  fraction('net_margin', 'Net margin', defineRatio('net_income', 'revenue')),
  fraction('fcf_margin', 'Free cash flow margin', defineRatio('free_cash_flow', 'revenue')),
  fraction('roe', 'Return on equity', defineRatio('net_income', 'stockholders_equity')),
  fraction('roa', 'Return on assets', defineRatio('net_income', 'assets')),
  multiple('current_ratio', 'Current ratio', defineRatio('current_assets', 'current_liabilities')),
  multiple('cash_ratio', 'Cash ratio', defineRatio('cash_and_equivalents', 'current_liabilities')),
  multiple('liabilities_to_equity', 'Liabilities to equity', defineRatio('liabilities', 'stockholders_equity')),
  fraction('revenue_yoy', 'Revenue growth', defineGrowth('revenue')),
  fraction('net_income_yoy', 'Net income growth', defineGrowth('net_income')),
  fraction('capex_intensity', 'Capex to revenue', defineRatio('capital_expenditures', 'revenue')),
  fraction('sbc_intensity', 'Share-based compensation to revenue', defineRatio('share_based_compensation', 'revenue')),
  money('capital_returns', 'Capital returned', { kind: 'sum', plus: ['dividends_paid', 'share_repurchases'] }),
  fraction('payout_ratio', 'Payout ratio', defineRatio('dividends_paid', 'net_income')),
  fraction(
    'capital_returns_to_fcf',
    'Capital returned as a share of free cash flow',
    defineRatio('capital_returns', 'free_cash_flow'),
  ),
  fraction('shares_change', 'Change in shares', defineGrowth('common_shares_outstanding')),
  { key: 'price', label: 'Price', measure: 'per_share', formula: { kind: 'market' } },
  money('market_cap', 'Market cap', { kind: 'market', product: ['price', 'common_shares_outstanding'] }),
  multiple('pe', 'Price to earnings', defineRatio('price', 'eps_diluted')),
  multiple('ps', 'Price to sales', defineRatio('market_cap', 'revenue')),
  multiple('pb', 'Price to book', defineRatio('market_cap', 'stockholders_equity')),
  fraction('fcf_yield', 'Free cash flow yield', defineRatio('free_cash_flow', 'market_cap')),
  fraction('dividend_yield', 'Dividend yield', defineRatio('dividends_per_share', 'price')),
  money('revenue_ttm', 'Revenue, twelve months', defineTwelveMonths('revenue')),
  money('net_income_ttm', 'Net income, twelve months', defineTwelveMonths('net_income')),
  money('operating_cash_flow_ttm', 'Operating cash flow, twelve months', defineTwelveMonths('operating_cash_flow')),
  money('free_cash_flow_ttm', 'Free cash flow, twelve months', defineTwelveMonths('free_cash_flow')),
  multiple('pe_ttm', 'Price to earnings, twelve months', defineRatio('market_cap', 'net_income_ttm')),
  multiple('ps_ttm', 'Price to sales, twelve months', defineRatio('market_cap', 'revenue_ttm')),
  fraction('fcf_yield_ttm', 'Free cash flow yield, twelve months', defineRatio('free_cash_flow_ttm', 'market_cap')),
  fraction('ebitda_margin', 'EBITDA margin', defineRatio('ebitda', 'revenue')),
  fraction('rd_intensity', 'Research and development to revenue', defineRatio('research_and_development', 'revenue')),
  fraction(
    'sga_to_revenue',
    'Selling, general and administrative to revenue',
    defineRatio('selling_general_and_administrative', 'revenue'),
  ),
  fraction('effective_tax_rate', 'Effective tax rate', defineRatio('income_tax', 'pretax_income')),
  multiple('interest_coverage', 'Interest coverage', defineRatio('operating_income', 'interest_expense')),
  multiple('debt_to_equity', 'Debt to equity', defineRatio('total_debt', 'stockholders_equity')),
  multiple('debt_to_ebitda', 'Debt to EBITDA', defineRatio('total_debt', 'ebitda')),
  multiple('net_debt_to_ebitda', 'Net debt to EBITDA', defineRatio('net_debt', 'ebitda')),
  fraction('operating_income_yoy', 'Operating income growth', defineGrowth('operating_income')),
  fraction('eps_diluted_yoy', 'Diluted EPS growth', defineGrowth('eps_diluted')),
  fraction('free_cash_flow_yoy', 'Free cash flow growth', defineGrowth('free_cash_flow')),
  money('enterprise_value', 'Enterprise value', {
    kind: 'sum',
    plus: ['market_cap', 'net_debt'],
    plusIfReported: ['noncontrolling_interests', 'temporary_equity'],
  }),
  multiple('ev_to_ebitda', 'EV to EBITDA', defineRatio('enterprise_value', 'ebitda')),
  multiple('ev_to_revenue', 'EV to sales', defineRatio('enterprise_value', 'revenue')),
  fraction('revenue_cagr_3y', 'Revenue CAGR, 3 years', defineCompoundGrowth('revenue', 3)),
  fraction('revenue_cagr_5y', 'Revenue CAGR, 5 years', defineCompoundGrowth('revenue', 5)),
  fraction('eps_diluted_cagr_3y', 'Diluted EPS CAGR, 3 years', defineCompoundGrowth('eps_diluted', 3)),
  fraction('eps_diluted_cagr_5y', 'Diluted EPS CAGR, 5 years', defineCompoundGrowth('eps_diluted', 5)),
  fraction('shares_change_3y', 'Change in shares, 3 years', defineGrowth('common_shares_outstanding', 3)),
] as const satisfies readonly DerivedFigure[];
