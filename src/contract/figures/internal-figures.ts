/** Amounts that are read from filings because others are derived from them; in no answer. */
import type { InternalFigure } from './formula.ts';

export const INTERNAL_FIGURES = [
  { key: 'selling_and_marketing', statement: 'income' },
  { key: 'general_and_administrative', statement: 'income' },
  { key: 'depreciation', statement: 'cash_flow' },
  { key: 'amortization', statement: 'cash_flow' },
  { key: 'finite_lived_intangibles', statement: 'balance' },
  { key: 'indefinite_lived_intangibles', statement: 'balance' },
  { key: 'short_term_borrowings', statement: 'balance' },
  {
    key: 'current_portion_of_debt',
    statement: 'balance',
    whenNotReported: {
      kind: 'sum',
      plus: ['long_term_debt_with_current'],
      minus: ['long_term_debt'],
      sameFilings: true,
    },
  },
  { key: 'long_term_debt_with_current', statement: 'balance' },
  { key: 'total_equity', statement: 'balance' },
  { key: 'temporary_equity', statement: 'balance' },
] as const satisfies readonly InternalFigure[];
