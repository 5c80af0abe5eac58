/** Counts and values of insider trades. */

import { add } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { JudgedTrade } from './judge.ts';

export interface InsiderTotals {
  readonly transactions: number;
  readonly purchases: number;
  readonly sales: number;
  /** Listed but not in the values: suspect, or not equity. */
  readonly uncounted: number;
  readonly purchaseValue: Decimal;
  readonly saleValue: Decimal;
}

/** The fields that totals are computed from. */
export type Countable = Pick<JudgedTrade, 'code' | 'status' | 'value' | 'repeated'>;

export function totalsOf(trades: Iterable<Countable>): InsiderTotals {
  let purchases = 0;
  let sales = 0;
  let uncounted = 0;
  let purchaseValue: Decimal = '0';
  let saleValue: Decimal = '0';
  for (const trade of trades) {
    if (trade.code === 'P') purchases += 1;
    else sales += 1;
    if (trade.status !== 'counted') uncounted += 1;
    const value = countedValue(trade);
    if (trade.code === 'P') purchaseValue = add(purchaseValue, value);
    else saleValue = add(saleValue, value);
  }
  return { transactions: purchases + sales, purchases, sales, uncounted, purchaseValue, saleValue };
}

/** What a trade adds to the values: zero unless its value is counted, and the first of its repeats. */
export function countedValue({ status, value, repeated }: Countable): Decimal {
  return status === 'counted' && !repeated && value !== null ? value : '0';
}
