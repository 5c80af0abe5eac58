/** The lines of the income statement, in the order of printed statements. */

import { sum, sumOfSameFilings } from './formula.ts';
import { NONCONTROLLING_INCOME_KEYS } from './internal-figures.ts';
import { defineStatement, less, line, partsOf, remainder, subtotal } from './line.ts';

export const INCOME_STATEMENT = defineStatement({
  ...partsOf('revenue', {
    net_interest_income: line("A bank's interest income less its interest expense."),
    noninterest_income: line("A bank's income other than interest."),
    premiums_earned: line('Premiums earned by an insurer, after reinsurance.'),
    net_investment_income: line("An insurer's income from investments, less the cost of investing."),
    investment_gains: line("An insurer's gains less losses on investments.", { label: 'Gains on investments' }),
    lease_revenue: line('Income from operating leases of a lessor.'),
  }),
  other_revenue: remainder('revenue', { unless: 'cost_of_revenue' }),
  revenue: subtotal('Total revenue.', {
    whenNotReported: sumOfSameFilings(['net_interest_income', 'noninterest_income']),
  }),
  cost_of_revenue: line('Cost of the goods and services sold in the period.', { total: 'costs_and_expenses' }),
  gross_profit: subtotal('Revenue less cost of revenue.', {
    whenNotReported: sumOfSameFilings(['revenue'], {
      minus: ['cost_of_revenue'], // Banks, insurers and lessors of real estate have other costs of their revenue.
      unless: ['noninterest_income', 'premiums_earned', 'claims_incurred', 'property_operating_costs'],
    }),
  }),
  ...partsOf('costs_and_expenses', {
    provision_for_credit_losses: line('Expense for loans that may not be repaid.'),
    claims_incurred: line("Benefits and claims of an insurer's policyholders, after reinsurance."),
    acquisition_cost_amortization: line(
      'Cost of selling insurance, recognized as an expense over the term of the policies.',
      { label: 'Amortization of acquisition costs' },
    ),
    other_underwriting_expenses: line(
      'Cost of selling and managing insurance other than amortization of acquisition costs.',
    ),
    ...partsOf('noninterest_expense', {
      salaries_and_benefits: line('Pay and benefits of employees.'),
      occupancy_expense: line('Cost of the premises of a bank.', { label: 'Occupancy' }),
    }),
    noninterest_expense: line("A bank's expenses other than interest and credit losses."),
    fuel_and_purchased_power: line("A utility's cost of fuel and of energy bought."),
    operations_and_maintenance: line("A utility's cost of running and maintaining its plants and networks."),
    taxes_other_than_income: line('Property, payroll and other taxes that do not depend on income.'),
    property_operating_costs: line('Cost of running real estate rented to others.'),
  }),
  ...partsOf('operating_expenses', {
    research_and_development: line('Expense for research and development.'),
    ...partsOf('selling_general_and_administrative', {
      selling_and_marketing: line('Expense for selling and marketing.'),
      general_and_administrative: line('Expense for administration.'),
    }),
    selling_general_and_administrative: line('Expense for selling, marketing and administration.', {
      label: 'Selling, general and administrative',
      whenNotReported: sumOfSameFilings(['selling_and_marketing', 'general_and_administrative']),
    }),
    restructuring: line('Cost of restructuring operations.'),
    impairment: line('Amount by which assets were written down.'),
  }),
  other_operating_expenses: remainder('operating_expenses', { plus: ['gross_profit'], minus: ['operating_income'] }),
  other_operating_costs: {
    label: 'Other costs of operations',
    ...remainder('costs_and_expenses', { plus: ['revenue'], minus: ['operating_income'], unless: 'gross_profit' }),
  },
  operating_expenses: line('Operating expenses that are not part of the cost of revenue.', {
    total: 'costs_and_expenses',
  }),
  costs_and_expenses: less('All costs of operations, including the cost of revenue.', { total: 'operating_income' }),
  operating_income: subtotal('Profit or loss from operations.', {
    total: 'pretax_income',
    whenNotReported: sum([['operating_income_by_total_expenses', 'operating_income_by_expenses']]),
  }),
  ...partsOf('nonoperating_income', {
    interest_income: line('Income from interest; interest expense is not deducted.', {
      totalIfReported: 'net_interest_income',
    }),
    interest_expense: less('Cost of borrowing; interest income is not deducted.', {
      totalIfReported: 'net_interest_income',
    }),
    equity_method_income: line('Share of the income of companies accounted for by the equity method.', {
      label: 'Income of equity-method companies',
    }),
    debt_extinguishment: line('Gain on debt repaid before it was due; a loss is negative.', {
      label: 'Gain on debt repaid early',
    }),
    other_nonoperating_income: line('Income less expense outside operations that has no line of its own.'),
  }),
  other_income_before_tax: {
    label: 'Other income and expense',
    ...remainder('pretax_income', { minus: ['operating_income'] }),
  },
  nonoperating_income: line('Income less expense outside operations, as one total.', { total: 'pretax_income' }),
  ...partsOf('net_income', {
    pretax_income: subtotal('Profit or loss of continuing operations before income taxes.', {
      label: 'Income before tax',
      whenNotReported: sum([['pretax_income_by_region', 'pretax_income_by_tax']]),
    }),
    current_income_tax: line('Income tax to be paid for the period.', { label: 'Current tax', total: 'income_tax' }),
    income_tax: less('Tax on the income of continuing operations; a benefit is negative.'),
    discontinued_operations: line('Income of discontinued operations, after tax.'),
    other_income_after_tax: remainder('net_income', { plus: ['net_income', 'income_tax'], minus: ['pretax_income'] }),
    net_income_noncontrolling: less('Profit or loss of subsidiaries attributable to owners other than the company.', {
      label: 'Net income of noncontrolling interests',
      whenNotReported: sumOfSameFilings([NONCONTROLLING_INCOME_KEYS], { plusIfReported: NONCONTROLLING_INCOME_KEYS }),
    }),
  }),
  net_income: subtotal('Profit or loss attributable to the company.', {
    whenNotReported: sumOfSameFilings(['consolidated_net_income'], {
      minus: ['net_income_noncontrolling'],
      // Without a reported net_income_common, net_income_noncontrolling may be from a statement other than this one.
      requires: 'net_income_common',
    }),
  }),
  preferred_dividends: less('Dividends on preferred stock, deducted from net income.', { total: 'net_income_common' }),
  net_income_common: line('Net income less preferred dividends.', { label: 'Net income of common shares' }),
  other_comprehensive_income: line('Gains and losses of the period that are not part of net income.', {
    total: 'comprehensive_income',
  }),
  comprehensive_income: line('Net income and other comprehensive income.'),
  eps_basic: line('Basic earnings per share.', { label: 'Basic EPS', measure: 'per_share' }),
  eps_diluted: line('Diluted earnings per share.', { label: 'Diluted EPS', measure: 'per_share' }),
  dividends_per_share: line('Dividends declared per common share.', { measure: 'per_share' }),
  weighted_shares_basic: line('Average number of shares outstanding in the period.', {
    label: 'Weighted shares, basic',
    measure: 'shares',
  }),
  weighted_shares_diluted: line(
    'Average number of shares outstanding in the period, including shares that options and similar rights would add.',
    { label: 'Weighted shares, diluted', measure: 'shares' },
  ),
  ebitda: line('Operating income before depreciation and amortization.', {
    label: 'EBITDA',
    formula: sum(['operating_income', 'depreciation_and_amortization']),
  }),
});
