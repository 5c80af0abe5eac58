/** The lines of the cash flow statement, in the order of printed statements. */
import { defineStatement, type LineEntries, partsOf } from './line.ts';

export const CASH_FLOW_STATEMENT = defineStatement({
  ...partsOf('operating_cash_flow', {
    consolidated_net_income: { description: 'Profit or loss including that of noncontrolling interests.' },
    depreciation_and_amortization: {
      description: 'Depreciation, depletion and amortization.',
      whenNotReported: {
        kind: 'sum',
        plus: [
          ['depreciation_and_other_amortization', 'other_depreciation_and_amortization', 'depreciation'],
          'amortization',
        ],
        sameFilings: true,
      },
    },
    debt_cost_amortization: {
      label: 'Amortization of debt costs',
      description: 'Costs and discounts of debt, recognized as an expense over its term.',
    },
    share_based_compensation: {
      label: 'Share-based compensation',
      description: 'Compensation paid in shares, as added back to net income in the cash flow statement.',
    },
    deferred_taxes: { description: 'Deferred taxes, as added back to net income in the cash flow statement.' },
    gain_on_sale: {
      label: 'Gain on assets sold',
      sign: '-',
      description: 'Gain on property, businesses and other assets sold; a loss is negative.',
    },
    lease_amortization: {
      label: 'Amortization of leased assets',
      description: 'Reduction of the rights to use leased assets.',
    },
    other_noncash_items: { sign: '-', description: 'Other income less expense that moves no cash.' },
    change_in_receivables: {
      label: 'Increase of receivables',
      sign: '-',
      description: 'Cash used by an increase of receivables.',
    },
    change_in_inventories: {
      label: 'Increase of inventories',
      sign: '-',
      description: 'Cash used by an increase of inventories.',
    },
    change_in_prepaid_expenses: {
      label: 'Increase of prepaid expenses',
      sign: '-',
      description: 'Cash used by an increase of prepaid expenses and other assets.',
    },
    change_in_other_assets: {
      label: 'Increase of other assets',
      sign: '-',
      description: 'Cash used by an increase of other operating assets.',
    },
    change_in_payables: { label: 'Increase of payables', description: 'Cash provided by an increase of payables.' },
    change_in_accrued_liabilities: {
      label: 'Increase of accrued liabilities',
      description: 'Cash provided by an increase of accrued liabilities.',
    },
    change_in_deferred_revenue: {
      label: 'Increase of deferred revenue',
      description: 'Cash provided by an increase of deferred revenue.',
    },
    change_in_taxes: {
      label: 'Increase of taxes payable',
      description: 'Cash provided by an increase of taxes payable.',
    },
    change_in_other_liabilities: {
      label: 'Increase of other liabilities',
      description: 'Cash provided by an increase of other operating liabilities.',
    },
  } as const satisfies LineEntries),
  other_operating_cash_flow: {
    remainder: { of: 'operating_cash_flow', minus: [['consolidated_net_income', 'net_income']] },
  },
  operating_cash_flow: {
    subtotal: true,
    section: 'Operating activities',
    total: 'change_in_cash',
    description: 'Net cash from operating activities.',
  },
  ...partsOf('investing_cash_flow', {
    capital_expenditures: {
      sign: '-',
      description:
        'Payments for property, plant and equipment, including equipment to rent out; an outflow is positive, as filed.',
      whenNotReported: {
        kind: 'sum',
        plus: ['capital_expenditures_for_own_use'],
        plusIfReported: ['purchases_to_rent_out', 'exploration_and_development'],
        sameFilings: true,
      },
    },
    acquisitions: {
      sign: '-',
      description:
        'Payments for acquired businesses, less the cash acquired with them; an outflow is positive, as filed.',
    },
    software_purchases: {
      label: 'Software',
      sign: '-',
      description: 'Payments for software, if they have a line of their own; an outflow is positive, as filed.',
    },
    investment_purchases: {
      label: 'Investments bought',
      sign: '-',
      description: 'Payments for securities and other investments; an outflow is positive, as filed.',
    },
    investment_sales: {
      label: 'Investments sold',
      description: 'Proceeds from securities and other investments sold.',
    },
    investment_maturities: { label: 'Investments matured', description: 'Proceeds from investments that were repaid.' },
    property_sales: { label: 'Property sold', description: 'Proceeds from property, plant and equipment sold.' },
    business_sales: { label: 'Businesses sold', description: 'Proceeds from businesses sold.' },
    real_estate_purchases: {
      label: 'Real estate bought',
      sign: '-',
      description: 'Payments for real estate; an outflow is positive, as filed.',
    },
    loans_made: {
      label: 'Increase of loans',
      sign: '-',
      description: 'Loans made less loans repaid; an outflow is positive, as filed.',
    },
    other_investing_items: {
      sign: '-',
      description: 'Other investing payments less proceeds; an outflow is positive, as filed.',
    },
  } as const satisfies LineEntries),
  other_investing_cash_flow: { remainder: { of: 'investing_cash_flow' } },
  investing_cash_flow: {
    subtotal: true,
    section: 'Investing activities',
    total: 'change_in_cash',
    description: 'Net cash from investing activities.',
  },
  ...partsOf('financing_cash_flow', {
    debt_issued: {
      description: 'Proceeds from long-term debt, or from all debt if filings do not separate long-term debt.',
    },
    debt_repaid: {
      sign: '-',
      description:
        'Repayments of long-term debt, or of all debt if filings do not separate long-term debt; an outflow is positive, as filed.',
    },
    credit_line_proceeds: {
      label: 'Credit lines drawn',
      description: 'Proceeds from credit lines and short-term debt.',
    },
    credit_line_repayments: {
      label: 'Credit lines repaid',
      sign: '-',
      description: 'Repayments of credit lines; an outflow is positive, as filed.',
    },
    finance_lease_repayments: {
      label: 'Finance leases repaid',
      sign: '-',
      description: 'Repayments of finance leases; an outflow is positive, as filed.',
    },
    debt_costs_paid: {
      sign: '-',
      description: 'Payments for the cost of raising debt; an outflow is positive, as filed.',
    },
    change_in_deposits: {
      label: 'Increase of deposits',
      description: 'Deposits received less deposits paid out by a bank.',
    },
    stock_issued: { description: 'Proceeds from common stock issued.' },
    stock_options_exercised: { description: 'Proceeds from options exercised and from stock sold to employees.' },
    tax_withholding: {
      label: 'Taxes paid for shares of employees',
      sign: '-',
      description: 'Taxes paid on behalf of employees in exchange for their shares; an outflow is positive, as filed.',
    },
    dividends_paid: { sign: '-', description: 'Cash dividends paid; an outflow is positive, as filed.' },
    preferred_dividends_paid: {
      total: 'dividends_paid',
      description: 'Cash dividends paid on preferred stock; an outflow is positive, as filed.',
    },
    distributions_to_noncontrolling: {
      label: 'Distributions to noncontrolling interests',
      sign: '-',
      description: 'Payments to the other owners of subsidiaries; an outflow is positive, as filed.',
    },
    share_repurchases: { sign: '-', description: 'Payments to repurchase shares; an outflow is positive, as filed.' },
    other_financing_items: { description: 'Other financing proceeds less payments.' },
  } as const satisfies LineEntries),
  other_financing_cash_flow: { remainder: { of: 'financing_cash_flow' } },
  ...partsOf('change_in_cash', {
    financing_cash_flow: {
      subtotal: true,
      section: 'Financing activities',
      description: 'Net cash from financing activities.',
    },
    exchange_rate_effect: {
      label: 'Effect of exchange rates',
      description: 'Change of cash in other currencies by exchange rates.',
    },
  } as const satisfies LineEntries),
  change_in_cash: {
    subtotal: true,
    section: 'Cash',
    description: 'Change of cash, cash equivalents and, since 2018, restricted cash.',
  },
  interest_paid: { description: 'Cash paid for interest.' },
  income_taxes_paid: { description: 'Cash paid for income taxes, less refunds.' },
  unpaid_capital_expenditures: {
    label: 'Capital expenditures not yet paid',
    description: 'Property, plant and equipment received but not paid at the end of the period.',
  },
  free_cash_flow: {
    description: 'Operating cash flow less capital expenditures.',
    formula: { kind: 'sum', plus: ['operating_cash_flow'], minus: ['capital_expenditures'] },
  },
} as const satisfies LineEntries);
