/** One price for a day from those that many reports imply. */

import { divide, nearlyEqual } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { present } from '../present.ts';

export interface Mark {
  readonly price: Decimal;
  readonly sample: number;
  /** Share of the sample within one percent of the price. */
  readonly agreement: Decimal;
}

const NEAR = '0.01';
/** Below this a price may be that of a bond, filed as a fraction of its principal. */
const LEAST_OF_UNKNOWN_KIND = '3';

/** The median, of an even number the lower of the middle two, so that some report implies it; null of none. */
export function medianMark(prices: readonly Decimal[]): Mark | null {
  const sorted = [...prices].sort(compareDecimals);
  const middle = Math.floor((sorted.length - 1) / 2);
  const price = sorted[middle];
  if (price === undefined) return null;
  // Sorted, those near the price are next to it.
  const isNear = (index: number) => nearlyEqual(present(sorted[index]), price, NEAR);
  const begin = firstWhere(0, middle, isNear);
  const end = firstWhere(middle + 1, sorted.length, (index) => !isNear(index));
  const near = end - begin;
  return { price, sample: sorted.length, agreement: fraction(near, sorted.length) };
}

/**
 * Of holdings that name their issuer but not their kind, the price that most agree on: shares of one class are all
 * marked alike, an issuer's bonds and preferred shares are not. At least two must agree, and more than half of those
 * that could be shares.
 */
export function agreedMark(prices: readonly Decimal[]): Mark | null {
  const possible = prices.filter((price) => compareDecimals(price, LEAST_OF_UNKNOWN_KIND) >= 0);
  let best: Decimal[] = [];
  for (const price of new Set(possible)) {
    const near = possible.filter((candidate) => nearlyEqual(candidate, price, NEAR));
    if (near.length > best.length) best = near;
  }
  if (best.length < 2 || best.length * 2 <= possible.length) return null;
  const centre = medianMark(best);
  return centre === null
    ? null
    : { ...centre, sample: possible.length, agreement: fraction(best.length, possible.length) };
}

/** The first index that passes a test which all after it pass too; `to` where none does. */
function firstWhere(from: number, to: number, passes: (index: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const probe = Math.floor((low + high) / 2);
    if (passes(probe)) high = probe;
    else low = probe + 1;
  }
  return low;
}

/** @param whole above zero */
function fraction(part: number, whole: number): Decimal {
  return present(divide(String(part), String(whole)));
}
