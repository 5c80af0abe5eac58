/** Amounts that are read from filings only to derive other figures; answers do not include them. */
import { type InternalFigure, sumOfSameFilings } from './formula.ts';

export const NONCONTROLLING_INCOME_KEYS = [
  'income_of_limited_partnerships',
  'income_of_operating_partnerships',
  'income_of_joint_venture_partners',
  'income_of_preferred_unit_holders',
  'income_of_other_holders',
] as const;

export const INTERNAL_FIGURES = [
  { key: 'net_nonoperating_interest', statement: 'income' },
  {
    key: 'operating_income_by_total_expenses',
    statement: 'income',
    whenNotReported: sumOfSameFilings(['gross_profit'], { minus: ['operating_expenses'] }),
  },
  {
    key: 'operating_income_before_other_items',
    statement: 'income',
    whenNotReported: sumOfSameFilings(['pretax_income'], {
      minus: ['other_nonoperating_income', 'net_nonoperating_interest'],
    }),
  },
  {
    // If the company has other expense lines, this formula is wrong, and `equals` rejects the result.
    key: 'operating_income_by_expenses',
    statement: 'income',
    whenNotReported: sumOfSameFilings(['gross_profit'], {
      minus: ['selling_general_and_administrative'],
      minusIfReported: ['research_and_development'],
      equals: 'operating_income_before_other_items',
    }),
  },
  { key: 'pretax_income_domestic', statement: 'income' },
  { key: 'pretax_income_foreign', statement: 'income' },
  {
    key: 'pretax_income_by_region',
    statement: 'income',
    whenNotReported: sumOfSameFilings(['pretax_income_domestic', 'pretax_income_foreign']),
  },
  {
    // Equals the reported income before tax in 98.6 % of 2,629 years. With the income of equity-method companies, which
    // many statements show after tax, only in 87 %.
    key: 'pretax_income_by_tax',
    statement: 'income',
    whenNotReported: sumOfSameFilings(['consolidated_net_income', 'income_tax'], {
      minusIfReported: ['discontinued_operations'],
      unless: 'equity_method_income',
    }),
  },
  // Parts of the income of noncontrolling interests, by kind of holder.
  ...NONCONTROLLING_INCOME_KEYS.map((key) => ({ key, statement: 'income' }) as const),
  { key: 'depreciation', statement: 'cash_flow' },
  // Read from concepts that mean the total of depreciation and amortization, such as
  // DepreciationDepletionAndAmortization, because some filings use them for a line without amortization.
  { key: 'depreciation_and_other_amortization', statement: 'cash_flow' },
  // Read from OtherDepreciationAndAmortization, which is never the total of depreciation and amortization.
  { key: 'other_depreciation_and_amortization', statement: 'cash_flow' },
  { key: 'amortization', statement: 'cash_flow' },
  // Capital expenditures of companies that report `purchases_to_rent_out` on a separate line.
  { key: 'capital_expenditures_for_own_use', statement: 'cash_flow' },
  { key: 'purchases_to_rent_out', statement: 'cash_flow' },
  // Payments for oil, gas and real estate that are developed, on a separate line.
  { key: 'exploration_and_development', statement: 'cash_flow' },
  { key: 'property_rented_out', statement: 'balance' },
  { key: 'noncurrent_bonds', statement: 'balance' },
  { key: 'noncurrent_loans', statement: 'balance' },
  // Not part of `long_term_debt`: balance sheets show debt to related parties on a separate line.
  { key: 'noncurrent_debt_to_related_parties', statement: 'balance' },
  { key: 'long_term_debt_with_current', statement: 'balance' },
] as const satisfies readonly InternalFigure[];
