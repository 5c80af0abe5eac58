/** The lines of the cash flow statement, in the order of printed statements. */
import { sum, sumOfSameFilings } from './formula.ts';
import { defineStatement, less, line, partsOf, remainder, subtotal } from './line.ts';

export const CASH_FLOW_STATEMENT = defineStatement({
  ...partsOf('operating_cash_flow', {
    consolidated_net_income: line('Profit or loss including that of noncontrolling interests.'),
    depreciation_and_amortization: line('Depreciation, depletion and amortization.', {
      whenNotReported: sumOfSameFilings([
        ['depreciation_and_other_amortization', 'other_depreciation_and_amortization', 'depreciation'],
        'amortization',
      ]),
    }),
    debt_cost_amortization: line('Costs and discounts of debt, recognized as an expense over its term.', {
      label: 'Amortization of debt costs',
    }),
    share_based_compensation: line(
      'Compensation paid in shares, as added back to net income in the cash flow statement.',
      { label: 'Share-based compensation' },
    ),
    deferred_taxes: line('Deferred taxes, as added back to net income in the cash flow statement.'),
    gain_on_sale: less('Gain on property, businesses and other assets sold; a loss is negative.', {
      label: 'Gain on assets sold',
    }),
    lease_amortization: line('Reduction of the rights to use leased assets.', {
      label: 'Amortization of leased assets',
    }),
    other_noncash_items: less('Other income less expense that moves no cash.'),
    change_in_receivables: less('Cash used by an increase of receivables.', { label: 'Increase of receivables' }),
    change_in_inventories: less('Cash used by an increase of inventories.', { label: 'Increase of inventories' }),
    change_in_prepaid_expenses: less('Cash used by an increase of prepaid expenses and other assets.', {
      label: 'Increase of prepaid expenses',
    }),
    change_in_other_assets: less('Cash used by an increase of other operating assets.', {
      label: 'Increase of other assets',
    }),
    change_in_payables: line('Cash provided by an increase of payables.', { label: 'Increase of payables' }),
    change_in_accrued_liabilities: line('Cash provided by an increase of accrued liabilities.', {
      label: 'Increase of accrued liabilities',
    }),
    change_in_deferred_revenue: line('Cash provided by an increase of deferred revenue.', {
      label: 'Increase of deferred revenue',
    }),
    change_in_taxes: line('Cash provided by an increase of taxes payable.', { label: 'Increase of taxes payable' }),
    change_in_other_liabilities: line('Cash provided by an increase of other operating liabilities.', {
      label: 'Increase of other liabilities',
    }),
  }),
  other_operating_cash_flow: remainder('operating_cash_flow', { minus: [['consolidated_net_income', 'net_income']] }),
  operating_cash_flow: subtotal('Net cash from operating activities.', {
    section: 'Operating activities',
    total: 'change_in_cash',
  }),
  ...partsOf('investing_cash_flow', {
    capital_expenditures: less(
      'Payments for property, plant and equipment, including equipment to rent out; an outflow is positive, as filed.',
      {
        whenNotReported: sumOfSameFilings(['capital_expenditures_for_own_use'], {
          plusIfReported: ['purchases_to_rent_out', 'exploration_and_development'],
        }),
      },
    ),
    acquisitions: less(
      'Payments for acquired businesses, less the cash acquired with them; an outflow is positive, as filed.',
    ),
    software_purchases: less(
      'Payments for software, if they have a line of their own; an outflow is positive, as filed.',
      { label: 'Software' },
    ),
    investment_purchases: less('Payments for securities and other investments; an outflow is positive, as filed.', {
      label: 'Investments bought',
    }),
    investment_sales: line('Proceeds from securities and other investments sold.', { label: 'Investments sold' }),
    investment_maturities: line('Proceeds from investments that were repaid.', { label: 'Investments matured' }),
    property_sales: line('Proceeds from property, plant and equipment sold.', { label: 'Property sold' }),
    business_sales: line('Proceeds from businesses sold.', { label: 'Businesses sold' }),
    real_estate_purchases: less('Payments for real estate; an outflow is positive, as filed.', {
      label: 'Real estate bought',
    }),
    loans_made: less('Loans made less loans repaid; an outflow is positive, as filed.', { label: 'Increase of loans' }),
    other_investing_items: less('Other investing payments less proceeds; an outflow is positive, as filed.'),
  }),
  other_investing_cash_flow: remainder('investing_cash_flow'),
  investing_cash_flow: subtotal('Net cash from investing activities.', {
    section: 'Investing activities',
    total: 'change_in_cash',
  }),
  ...partsOf('financing_cash_flow', {
    debt_issued: line('Proceeds from long-term debt, or from all debt if filings do not separate long-term debt.'),
    debt_repaid: less(
      'Repayments of long-term debt, or of all debt if filings do not separate long-term debt; an outflow is positive, as filed.',
    ),
    credit_line_proceeds: line('Proceeds from credit lines and short-term debt.', { label: 'Credit lines drawn' }),
    credit_line_repayments: less('Repayments of credit lines; an outflow is positive, as filed.', {
      label: 'Credit lines repaid',
    }),
    finance_lease_repayments: less('Repayments of finance leases; an outflow is positive, as filed.', {
      label: 'Finance leases repaid',
    }),
    debt_costs_paid: less('Payments for the cost of raising debt; an outflow is positive, as filed.'),
    change_in_deposits: line('Deposits received less deposits paid out by a bank.', { label: 'Increase of deposits' }),
    stock_issued: line('Proceeds from common stock issued.'),
    stock_options_exercised: line('Proceeds from options exercised and from stock sold to employees.'),
    tax_withholding: less(
      'Taxes paid on behalf of employees in exchange for their shares; an outflow is positive, as filed.',
      { label: 'Taxes paid for shares of employees' },
    ),
    dividends_paid: less('Cash dividends paid; an outflow is positive, as filed.'),
    preferred_dividends_paid: line('Cash dividends paid on preferred stock; an outflow is positive, as filed.', {
      total: 'dividends_paid',
    }),
    distributions_to_noncontrolling: less(
      'Payments to the other owners of subsidiaries; an outflow is positive, as filed.',
      { label: 'Distributions to noncontrolling interests' },
    ),
    share_repurchases: less('Payments to repurchase shares; an outflow is positive, as filed.'),
    other_financing_items: line('Other financing proceeds less payments.'),
  }),
  other_financing_cash_flow: remainder('financing_cash_flow'),
  ...partsOf('change_in_cash', {
    financing_cash_flow: subtotal('Net cash from financing activities.', { section: 'Financing activities' }),
    exchange_rate_effect: line('Change of cash in other currencies by exchange rates.', {
      label: 'Effect of exchange rates',
    }),
  }),
  change_in_cash: subtotal('Change of cash, cash equivalents and, since 2018, restricted cash.', { section: 'Cash' }),
  interest_paid: line('Cash paid for interest.'),
  income_taxes_paid: line('Cash paid for income taxes, less refunds.'),
  unpaid_capital_expenditures: line('Property, plant and equipment received but not paid at the end of the period.', {
    label: 'Capital expenditures not yet paid',
  }),
  free_cash_flow: line('Operating cash flow less capital expenditures.', {
    formula: sum(['operating_cash_flow'], { minus: ['capital_expenditures'] }),
  }),
});
