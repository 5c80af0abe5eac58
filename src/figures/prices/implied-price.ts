/** The price that a position implies: its value divided by its number of shares. */
import { absolute, divide, multiply, nearlyEqual, roundToInteger, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';

/**
 * Values are filed rounded, so the quotient is only near the closing price. If a whole number of cents gives the
 * value within its rounding, that is the price; otherwise the quotient to four places. Null without a value or
 * shares.
 * @param rounding maximum rounding error of the value: half a dollar, or half a thousand
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
  /** Fraction of the sample within one percent of the price. */
  readonly agreement: Decimal;
}

const NEAR = '0.01';
/** A lower price may be that of a bond, filed as a fraction of its principal. */
const MIN_PRICE_OF_UNKNOWN_KIND = '3';

/**
 * Returns the median; for an even number of prices the lower of the middle two, so that at least one report implies
 * it. Null if there are no prices.
 */
export function medianMark(prices: readonly Decimal[]): Mark | null {
  const sortedPrices = [...prices].sort(compareDecimals);
  const middle = Math.floor((sortedPrices.length - 1) / 2);
  const price = sortedPrices[middle];
  if (price === undefined) return null;
  // The prices are sorted, so those near the median are next to it.
  const isNear = (index: number) => nearlyEqual(assertDefined(sortedPrices[index]), price, NEAR);
  const begin = firstWhere(0, middle, isNear);
  const end = firstWhere(middle + 1, sortedPrices.length, (index) => !isNear(index));
  const near = end - begin;
  return { price, sample: sortedPrices.length, agreement: fraction(near, sortedPrices.length) };
}

/**
 * Returns the price that most holdings agree on, if these name their issuer but not their kind. Reports value shares
 * of one class alike, but not an issuer's bonds and preferred shares. At least two must agree, and more than half of
 * those that could be shares.
 */
export function agreedMark(prices: readonly Decimal[]): Mark | null {
  const possiblePrices = prices.filter((price) => compareDecimals(price, MIN_PRICE_OF_UNKNOWN_KIND) >= 0);
  let best: Decimal[] = [];
  for (const price of new Set(possiblePrices)) {
    const near = possiblePrices.filter((candidate) => nearlyEqual(candidate, price, NEAR));
    if (near.length > best.length) best = near;
  }
  if (best.length < 2 || best.length * 2 <= possiblePrices.length) return null;
  const centre = medianMark(best);
  return centre === null
    ? null
    : { ...centre, sample: possiblePrices.length, agreement: fraction(best.length, possiblePrices.length) };
}

/** The first index from which on all pass the test; `to` if none does. */
function firstWhere(from: number, to: number, passes: (index: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const probe = Math.floor((low + high) / 2);
    if (passes(probe)) high = probe;
    else low = probe + 1;
  }
  return low;
}

/** @param whole greater than zero */
function fraction(part: number, whole: number): Decimal {
  return assertDefined(divide(String(part), String(whole)));
}
