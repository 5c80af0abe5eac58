/**
 * Remainders make printed statements add up. A remainder is a statement's total minus its lines that are metrics. It is
 * missing if it is zero, or if lines and total come from different filings.
 */
import type { DerivedFigure, SumFormula } from './formula.ts';

/** A remainder, and the line of the statement above which it is printed. */
export interface Remainder<Key extends string = string> extends DerivedFigure<Key> {
  readonly above: Key;
}

const defineRemainder = <
  const Key extends string,
  const Above extends string,
  const Terms extends Omit<SumFormula, 'kind'>,
>(
  key: Key,
  label: string,
  above: Above,
  formula: Terms,
) => ({ key, label, measure: 'money', above, formula: { kind: 'sum', sameFilings: true, ...formula } }) as const;

const CURRENT_ASSET_KEYS = ['cash_and_equivalents', 'short_term_investments', 'receivables', 'inventories'] as const;
const NONCURRENT_ASSET_KEYS = [
  ...(['long_term_investments', 'loans', 'property_plant_and_equipment', 'operating_lease_assets'] as const),
  ...(['deferred_tax_assets', 'goodwill', 'intangible_assets'] as const),
] as const;
const CURRENT_LIABILITY_KEYS = ['payables', 'deferred_revenue', 'short_term_debt'] as const;
const NONCURRENT_LIABILITY_KEYS = [
  ...(['deposits', 'long_term_debt', 'operating_lease_liabilities', 'deferred_tax_liabilities'] as const),
] as const;

export const REMAINDERS = [
  defineRemainder('other_revenue', 'Other revenue', 'revenue', {
    plus: ['revenue'],
    minusIfReported: ['net_interest_income', 'noninterest_income', 'premiums_earned'],
    unless: 'cost_of_revenue',
    remainder: 'any',
  }),
  defineRemainder('other_operating_expenses', 'Other operating expenses', 'operating_expenses', {
    plus: ['gross_profit'],
    minus: ['operating_income'],
    minusIfReported: ['research_and_development', 'selling_general_and_administrative'],
    remainder: 'any',
  }),
  defineRemainder('other_operating_costs', 'Other costs of operations', 'operating_expenses', {
    plus: ['revenue'],
    minus: ['operating_income'],
    minusIfReported: [
      ...(['cost_of_revenue', 'provision_for_credit_losses', 'claims_incurred'] as const),
      ...(['research_and_development', 'selling_general_and_administrative'] as const),
    ],
    unless: 'gross_profit',
    remainder: 'any',
  }),
  defineRemainder('other_income_before_tax', 'Other income and expense', 'pretax_income', {
    plus: ['pretax_income'],
    plusIfReported: ['interest_expense'],
    minus: ['operating_income'],
    minusIfReported: ['interest_income'],
    remainder: 'any',
  }),
  defineRemainder('other_income_after_tax', 'Other income after tax', 'net_income_noncontrolling', {
    plus: ['net_income', 'income_tax'],
    plusIfReported: ['net_income_noncontrolling'],
    minus: ['pretax_income'],
    remainder: 'any',
  }),
  defineRemainder('other_operating_cash_flow', 'Other operating cash flow', 'operating_cash_flow', {
    plus: ['operating_cash_flow'],
    minus: ['net_income'],
    minusIfReported: ['depreciation_and_amortization', 'share_based_compensation'],
    remainder: 'any',
  }),
  defineRemainder('other_investing_cash_flow', 'Other investing cash flow', 'investing_cash_flow', {
    plus: ['investing_cash_flow'],
    plusIfReported: ['capital_expenditures', 'acquisitions'],
    remainder: 'any',
  }),
  defineRemainder('other_financing_cash_flow', 'Other financing cash flow', 'financing_cash_flow', {
    plus: ['financing_cash_flow'],
    plusIfReported: ['debt_repaid', 'dividends_paid', 'share_repurchases'],
    minusIfReported: ['debt_issued'],
    remainder: 'any',
  }),
  defineRemainder('other_current_assets', 'Other current assets', 'current_assets', {
    plus: ['current_assets'],
    minusIfReported: CURRENT_ASSET_KEYS,
    remainder: 'above_zero',
  }),
  defineRemainder('other_noncurrent_assets', 'Other noncurrent assets', 'assets', {
    plus: ['assets'],
    minus: ['current_assets'],
    minusIfReported: NONCURRENT_ASSET_KEYS,
    remainder: 'above_zero',
  }),
  defineRemainder('other_assets', 'Other assets', 'assets', {
    plus: ['assets'],
    minusIfReported: [...CURRENT_ASSET_KEYS, ...NONCURRENT_ASSET_KEYS],
    unless: 'current_assets',
    remainder: 'above_zero',
  }),
  defineRemainder('other_current_liabilities', 'Other current liabilities', 'current_liabilities', {
    plus: ['current_liabilities'],
    minusIfReported: CURRENT_LIABILITY_KEYS,
    remainder: 'above_zero',
  }),
  defineRemainder('other_noncurrent_liabilities', 'Other noncurrent liabilities', 'liabilities', {
    plus: ['liabilities'],
    minus: ['current_liabilities'],
    minusIfReported: NONCURRENT_LIABILITY_KEYS,
    remainder: 'above_zero',
  }),
  defineRemainder('other_liabilities', 'Other liabilities', 'liabilities', {
    plus: ['liabilities'],
    minusIfReported: [...CURRENT_LIABILITY_KEYS, ...NONCURRENT_LIABILITY_KEYS],
    unless: 'current_liabilities',
    remainder: 'above_zero',
  }),
  defineRemainder('other_equity', "Other stockholders' equity", 'stockholders_equity', {
    plus: ['stockholders_equity'],
    plusIfReported: ['treasury_stock'],
    minusIfReported: ['paid_in_capital', 'retained_earnings', 'accumulated_other_comprehensive_income'],
    remainder: 'any',
  }),
] as const satisfies readonly Remainder[];
