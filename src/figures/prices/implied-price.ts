/** The price that a reported holding implies: its value divided by its number of shares. */

import { divide, isNearlyEqual, multiply, roundToWhole, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';
import { assertDefined, findFirstIndex } from '../../platform/collections.ts';

/**
 * Returns the price: value divided by shares, rounded to whole cents if this explains the rounded value, otherwise to
 * four decimal places. Null if the number of shares or the price is zero, or if rounding may have changed the value by
 * more than a thousandth.
 * @param maxError maximum rounding error of the value: half a cent, half a dollar, or half a thousand dollars
 */
export function computeImpliedPrice(value: Decimal, amount: Decimal, maxError: Decimal): Decimal | null {
  if (isZero(amount) || compareDecimals(value, shiftDecimal(maxError, 3)) < 0) return null;
  const quotient = divide(value, amount);
  if (quotient === null) return null;
  const rounded = shiftDecimal(roundToWhole(shiftDecimal(quotient, 2)), -2);
  const difference = takeAbsoluteValue(subtract(multiply(rounded, amount), value));
  const price =
    compareDecimals(difference, maxError) <= 0
      ? rounded
      : shiftDecimal(roundToWhole(shiftDecimal(quotient, 4)), -4).replace(/(\.\d\d\d*?)0+$/, '$1');
  return isZero(price) ? null : price;
}

interface AgreedPrice {
  readonly price: Decimal;
  /** Number of prices that were compared. */
  readonly sample: number;
  /** Fraction of the compared prices that are within one percent of `price`. */
  readonly agreement: Decimal;
}

const PRICE_TOLERANCE = '0.01';
/**
 * Minimum implied price of a security of unknown kind: a lower price may belong to a bond, stated as a fraction of
 * principal.
 */
const MIN_PRICE_OF_UNKNOWN_KIND = '3';

/**
 * Returns the median; for an even number of prices, the lower of the two middle ones, so that at least one report
 * implies the price. Null for an empty list.
 */
export function findMedianWithAgreement(prices: readonly Decimal[]): AgreedPrice | null {
  const sorted = [...prices].sort(compareDecimals);
  const middle = Math.floor((sorted.length - 1) / 2);
  const price = sorted[middle];
  if (price === undefined) return null;
  // The prices are sorted, so all prices near the median are next to it.
  const isNear = (index: number) => isNearlyEqual(assertDefined(sorted[index]), price, PRICE_TOLERANCE);
  const first = findFirstIndex(0, middle, isNear);
  const end = findFirstIndex(middle + 1, sorted.length, (index) => !isNear(index));
  const nearCount = end - first;
  return { price, sample: sorted.length, agreement: divideIntegers(nearCount, sorted.length) };
}

/**
 * Returns the price that most holdings imply. The reports state the issuer but not the kind of security, so some prices
 * are of bonds or preferred shares. At least two prices must agree, and more than half of the prices that are high
 * enough for a share; otherwise null.
 */
export function findMajorityPrice(prices: readonly Decimal[]): AgreedPrice | null {
  const possiblePrices = prices.filter((price) => compareDecimals(price, MIN_PRICE_OF_UNKNOWN_KIND) >= 0);
  let largest: Decimal[] = [];
  for (const price of new Set(possiblePrices)) {
    const nearPrices = possiblePrices.filter((candidate) => isNearlyEqual(candidate, price, PRICE_TOLERANCE));
    if (nearPrices.length > largest.length) largest = nearPrices;
  }
  if (largest.length < 2 || largest.length * 2 <= possiblePrices.length) return null;
  const median = findMedianWithAgreement(largest);
  if (median === null) return null;
  return { ...median, sample: possiblePrices.length, agreement: divideIntegers(largest.length, possiblePrices.length) };
}

/** @param total must be above zero */
const divideIntegers = (part: number, total: number): Decimal => assertDefined(divide(String(part), String(total)));
