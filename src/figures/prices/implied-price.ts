/** The price that a position implies: its value over its number of shares. */
import { absolute, divide, multiply, nearlyEqual, roundToInteger, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';

/**
 * Values are filed rounded, so the quotient is only near the close. Where a whole number of cents gives the value back
 * within its rounding, that is the price; else the quotient to four places. Null without a value or shares.
 * @param rounding how far the value may be from the unrounded one: half a dollar, half a thousand
 */
export function impliedPrice(value: Decimal, amount: Decimal, rounding: Decimal): Decimal | null {
  if (isZero(amount) || isZero(value)) return null;
  const quotient = divide(value, amount);
  if (quotient === null) return null;
  const inCents = shiftDecimal(roundToInteger(shiftDecimal(quotient, 2)), -2);
  const off = absolute(subtract(multiply(inCents, amount), value));
  const price =
    compareDecimals(off, rounding) <= 0
      ? inCents
      : shiftDecimal(roundToInteger(shiftDecimal(quotient, 4)), -4).replace(/(\.\d\d\d*?)0+$/, '$1');
  return isZero(price) ? null : price;
}

interface Mark {
  readonly price: Decimal;
  readonly sample: number;
  /** Share of the sample within one percent of the price. */
  readonly agreement: Decimal;
}

const NEAR = '0.01';
/** Below this a price may be that of a bond, filed as a fraction of its principal. */
const MIN_PRICE_OF_UNKNOWN_KIND = '3';

/** The median, of an even number the lower of the middle two, so that some report implies it; null of none. */
export function medianMark(prices: readonly Decimal[]): Mark | null {
  const sorted = [...prices].sort(compareDecimals);
  const middle = Math.floor((sorted.length - 1) / 2);
  const price = sorted[middle];
  if (price === undefined) return null;
  // Sorted, those near the price are next to it.
  const isNear = (index: number) => nearlyEqual(assertDefined(sorted[index]), price, NEAR);
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
  const possible = prices.filter((price) => compareDecimals(price, MIN_PRICE_OF_UNKNOWN_KIND) >= 0);
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
  return assertDefined(divide(String(part), String(whole)));
}
