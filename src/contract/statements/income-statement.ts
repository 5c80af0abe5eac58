/** The lines of the income statement, in the order of printed statements. */
import { NONCONTROLLING_INCOME_KEYS } from './internal-figures.ts';
import { defineStatement, type LineEntries, partsOf } from './line.ts';

export const INCOME_STATEMENT = defineStatement({
  ...partsOf('revenue', {
    net_interest_income: { description: "A bank's interest income less its interest expense." },
    noninterest_income: { description: "A bank's income other than interest." },
    premiums_earned: { description: 'Premiums earned by an insurer, after reinsurance.' },
    net_investment_income: { description: "An insurer's income from investments, less the cost of investing." },
    investment_gains: { label: 'Gains on investments', description: "An insurer's gains less losses on investments." },
    lease_revenue: { description: 'Income from operating leases of a lessor.' },
  } as const satisfies LineEntries),
  other_revenue: { remainder: { of: 'revenue', unless: 'cost_of_revenue' } },
  revenue: {
    subtotal: true,
    description: 'Total revenue.',
    whenNotReported: { kind: 'sum', plus: ['net_interest_income', 'noninterest_income'], sameFilings: true },
  },
  cost_of_revenue: { total: 'costs_and_expenses', description: 'Cost of the goods and services sold in the period.' },
  gross_profit: {
    description: 'Revenue less cost of revenue.',
    subtotal: true,
    whenNotReported: {
      kind: 'sum',
      plus: ['revenue'],
      minus: ['cost_of_revenue'],
      // Banks, insurers and lessors of real estate have other costs of their revenue.
      unless: ['noninterest_income', 'premiums_earned', 'claims_incurred', 'property_operating_costs'],
      sameFilings: true,
    },
  },
  ...partsOf('costs_and_expenses', {
    provision_for_credit_losses: { description: 'Expense for loans that may not be repaid.' },
    claims_incurred: { description: "Benefits and claims of an insurer's policyholders, after reinsurance." },
    acquisition_cost_amortization: {
      label: 'Amortization of acquisition costs',
      description: 'Cost of selling insurance, recognized as an expense over the term of the policies.',
    },
    other_underwriting_expenses: {
      description: 'Cost of selling and managing insurance other than amortization of acquisition costs.',
    },
    ...partsOf('noninterest_expense', {
      salaries_and_benefits: { description: 'Pay and benefits of employees.' },
      occupancy_expense: { label: 'Occupancy', description: 'Cost of the premises of a bank.' },
    } as const satisfies LineEntries),
    noninterest_expense: { description: "A bank's expenses other than interest and credit losses." },
    fuel_and_purchased_power: { description: "A utility's cost of fuel and of energy bought." },
    operations_and_maintenance: { description: "A utility's cost of running and maintaining its plants and networks." },
    taxes_other_than_income: { description: 'Property, payroll and other taxes that do not depend on income.' },
    property_operating_costs: { description: 'Cost of running real estate rented to others.' },
  } as const satisfies LineEntries),
  ...partsOf('operating_expenses', {
    research_and_development: { description: 'Expense for research and development.' },
    ...partsOf('selling_general_and_administrative', {
      selling_and_marketing: { description: 'Expense for selling and marketing.' },
      general_and_administrative: { description: 'Expense for administration.' },
    } as const satisfies LineEntries),
    selling_general_and_administrative: {
      label: 'Selling, general and administrative',
      description: 'Expense for selling, marketing and administration.',
      whenNotReported: {
        kind: 'sum',
        plus: ['selling_and_marketing', 'general_and_administrative'],
        sameFilings: true,
      },
    },
    restructuring: { description: 'Cost of restructuring operations.' },
    impairment: { description: 'Amount by which assets were written down.' },
  } as const satisfies LineEntries),
  other_operating_expenses: {
    remainder: { of: 'operating_expenses', plus: ['gross_profit'], minus: ['operating_income'] },
  },
  other_operating_costs: {
    label: 'Other costs of operations',
    remainder: { of: 'costs_and_expenses', plus: ['revenue'], minus: ['operating_income'], unless: 'gross_profit' },
  },
  operating_expenses: {
    total: 'costs_and_expenses',
    description: 'Operating expenses that are not part of the cost of revenue.',
  },
  costs_and_expenses: {
    total: 'operating_income',
    sign: '-',
    description: 'All costs of operations, including the cost of revenue.',
  },
  operating_income: {
    subtotal: true,
    total: 'pretax_income',
    description: 'Profit or loss from operations.',
    whenNotReported: { kind: 'sum', plus: [['operating_income_by_total_expenses', 'operating_income_by_expenses']] },
  },
  ...partsOf('nonoperating_income', {
    interest_income: {
      totalIfReported: 'net_interest_income',
      description: 'Income from interest; interest expense is not deducted.',
    },
    interest_expense: {
      totalIfReported: 'net_interest_income',
      sign: '-',
      description: 'Cost of borrowing; interest income is not deducted.',
    },
    equity_method_income: {
      label: 'Income of equity-method companies',
      description: 'Share of the income of companies accounted for by the equity method.',
    },
    debt_extinguishment: {
      label: 'Gain on debt repaid early',
      description: 'Gain on debt repaid before it was due; a loss is negative.',
    },
    other_nonoperating_income: { description: 'Income less expense outside operations that has no line of its own.' },
  } as const satisfies LineEntries),
  other_income_before_tax: {
    label: 'Other income and expense',
    remainder: { of: 'pretax_income', minus: ['operating_income'] },
  },
  nonoperating_income: { total: 'pretax_income', description: 'Income less expense outside operations, as one total.' },
  ...partsOf('net_income', {
    pretax_income: {
      label: 'Income before tax',
      subtotal: true,
      description: 'Profit or loss of continuing operations before income taxes.',
      whenNotReported: { kind: 'sum', plus: [['pretax_income_by_region', 'pretax_income_by_tax']] },
    },
    current_income_tax: {
      label: 'Current tax',
      total: 'income_tax',
      description: 'Income tax to be paid for the period.',
    },
    income_tax: { sign: '-', description: 'Tax on the income of continuing operations; a benefit is negative.' },
    discontinued_operations: { description: 'Income of discontinued operations, after tax.' },
    other_income_after_tax: {
      remainder: { of: 'net_income', plus: ['net_income', 'income_tax'], minus: ['pretax_income'] },
    },
    net_income_noncontrolling: {
      label: 'Net income of noncontrolling interests',
      sign: '-',
      description: 'Profit or loss of subsidiaries attributable to owners other than the company.',
      whenNotReported: {
        kind: 'sum',
        plus: [NONCONTROLLING_INCOME_KEYS],
        plusIfReported: NONCONTROLLING_INCOME_KEYS,
        sameFilings: true,
      },
    },
  } as const satisfies LineEntries),
  net_income: {
    subtotal: true,
    description: 'Profit or loss attributable to the company.',
    whenNotReported: {
      kind: 'sum',
      plus: ['consolidated_net_income'],
      minus: ['net_income_noncontrolling'],
      // Without it, the noncontrolling interests may not be those of the income statement.
      requires: 'net_income_common',
      sameFilings: true,
    },
  },
  preferred_dividends: {
    total: 'net_income_common',
    sign: '-',
    description: 'Dividends on preferred stock, deducted from net income.',
  },
  net_income_common: { label: 'Net income of common shares', description: 'Net income less preferred dividends.' },
  other_comprehensive_income: {
    total: 'comprehensive_income',
    description: 'Gains and losses of the period that are not part of net income.',
  },
  comprehensive_income: { description: 'Net income and other comprehensive income.' },
  eps_basic: { label: 'Basic EPS', measure: 'per_share', description: 'Basic earnings per share.' },
  eps_diluted: { label: 'Diluted EPS', measure: 'per_share', description: 'Diluted earnings per share.' },
  dividends_per_share: { measure: 'per_share', description: 'Dividends declared per common share.' },
  weighted_shares_basic: {
    label: 'Weighted shares, basic',
    measure: 'shares',
    description: 'Average number of shares outstanding in the period.',
  },
  weighted_shares_diluted: {
    label: 'Weighted shares, diluted',
    measure: 'shares',
    description:
      'Average number of shares outstanding in the period, including shares that options and similar rights would add.',
  },
  ebitda: {
    label: 'EBITDA',
    description: 'Operating income before depreciation and amortization.',
    formula: { kind: 'sum', plus: ['operating_income', 'depreciation_and_amortization'] },
  },
} as const satisfies LineEntries);
