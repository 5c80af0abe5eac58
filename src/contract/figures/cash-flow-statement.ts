/** Metrics of the cash flow statement, in the order of printed statements. */
import type { Metric } from './formula.ts';

export const CASH_FLOW_METRICS = [
  {
    key: 'depreciation_and_amortization',
    label: 'Depreciation and amortization',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Depreciation, depletion and amortization.',
    whenNotReported: {
      kind: 'sum',
      plus: [['depreciation_and_other_amortization', 'depreciation'], 'amortization'],
      sameFilings: true,
    },
  },
  {
    key: 'share_based_compensation',
    label: 'Share-based compensation',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Compensation paid in shares, as added back to net income in the cash flow statement.',
  },
  {
    key: 'operating_cash_flow',
    label: 'Operating cash flow',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Net cash from operating activities.',
  },
  {
    key: 'capital_expenditures',
    label: 'Capital expenditures',
    statement: 'cash_flow',
    measure: 'money',
    description:
      'Payments for property, plant and equipment, including equipment to rent out; an outflow is positive, as filed.',
    whenNotReported: {
      kind: 'sum',
      plus: ['capital_expenditures_for_own_use', 'purchases_to_rent_out'],
      sameFilings: true,
    },
  },
  {
    key: 'acquisitions',
    label: 'Acquisitions',
    statement: 'cash_flow',
    measure: 'money',
    description:
      'Payments for acquired businesses, less the cash acquired with them; an outflow is positive, as filed.',
  },
  {
    key: 'investing_cash_flow',
    label: 'Investing cash flow',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Net cash from investing activities.',
  },
  {
    key: 'debt_issued',
    label: 'Debt issued',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Proceeds from long-term debt, or from all debt if filings do not separate long-term debt.',
  },
  {
    key: 'debt_repaid',
    label: 'Debt repaid',
    statement: 'cash_flow',
    measure: 'money',
    description:
      'Repayments of long-term debt, or of all debt if filings do not separate long-term debt; an outflow is positive, as filed.',
  },
  {
    key: 'dividends_paid',
    label: 'Dividends paid',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Cash dividends paid; an outflow is positive, as filed.',
  },
  {
    key: 'share_repurchases',
    label: 'Share repurchases',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Payments to repurchase shares; an outflow is positive, as filed.',
  },
  {
    key: 'financing_cash_flow',
    label: 'Financing cash flow',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Net cash from financing activities.',
  },
  {
    key: 'free_cash_flow',
    label: 'Free cash flow',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Operating cash flow less capital expenditures.',
    formula: { kind: 'sum', plus: ['operating_cash_flow'], minus: ['capital_expenditures'] },
  },
] as const satisfies readonly Metric[];
