/** The ratios of splits, and which of them a change of figures is near to. */

import { divide, nearlyEqual, roundToInteger } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { Declaration } from './split-declarations.ts';

/** Larger changes are errors of scale: thousands for units. */
const LARGEST_RATIO = '500';
/** Ratios that are not whole in either direction. */
const FRACTIONS: readonly Decimal[] = ['1.5', '1.25', '1.2'];
const WHOLE_TOLERANCE = '0.005';
const FRACTION_TOLERANCE = '0.001';
const PER_SHARE_TOLERANCE = '0.02';

/** The ratio near to a change: n, 1/n, a common fraction, or a declared one; null where none is near. */
export function plainRatio(change: Decimal, declared: readonly Declaration[]): Decimal | null {
  const up = compareDecimals(change, '1') > 0;
  const larger = up ? change : divide('1', change);
  if (larger === null || compareDecimals(larger, LARGEST_RATIO) > 0) return null;
  const whole = roundToInteger(larger);
  if (compareDecimals(whole, '2') >= 0 && nearlyEqual(larger, whole, WHOLE_TOLERANCE)) {
    return up ? whole : divide('1', whole);
  }
  const fraction = FRACTIONS.find((candidate) => nearlyEqual(larger, candidate, FRACTION_TOLERANCE));
  if (fraction !== undefined) return up ? fraction : divide('1', fraction);
  return declaredRatio(change, declared);
}

/** The plain form of the declared ratio near to a change, so that 0.0667 and 0.066667 are one. */
export function declaredRatio(change: Decimal, declared: readonly Declaration[]): Decimal | null {
  const near = declared.find(({ ratio }) => ratio !== '1' && nearlyEqual(change, ratio, PER_SHARE_TOLERANCE));
  return near === undefined ? null : (plainRatio(near.ratio, []) ?? near.ratio);
}

export function isDeclared(ratio: Decimal, declared: readonly Declaration[]): boolean {
  return declared.some((declaration) => nearlyEqual(declaration.ratio, ratio, PER_SHARE_TOLERANCE));
}
