/** Measures the difference between two compared amounts. */

import { divide, multiply, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';

/** Tolerance for amounts rounded to millions, for rounded ratios, and for amounts converted from another currency. */
export const ROUNDING_TOLERANCE: Decimal = '0.01';

/** Returns how far `difference / |reference|` is above the tolerated share; zero if the share is not exceeded. */
export function computeRelativeExcess(difference: Decimal, referenceAmount: Decimal, toleratedShare: Decimal): Decimal {
  if (isZero(difference)) return '0';
  if (compareDecimals(difference, multiply(takeAbsoluteValue(referenceAmount), toleratedShare)) <= 0) return '0';
  return subtract(computeRelativeDifference(difference, referenceAmount), toleratedShare);
}

/** Returns `difference / |reference|`: zero if there is no difference, 1 if only the reference is zero. */
export function computeRelativeDifference(difference: Decimal, referenceAmount: Decimal): Decimal {
  return isZero(difference) ? '0' : (divide(difference, takeAbsoluteValue(referenceAmount)) ?? '1');
}
