/**
 * The ratio of a share split as a fraction. A reverse split of one for fifteen has the rounded ratio 0.0666666667:
 * computing with the fraction keeps all digits.
 */
import { divide, multiply, roundTo } from './decimal.ts';
import { compareDecimals, type Decimal } from './decimal-text.ts';

/** New shares for old shares: 4 for 1, or 1 for 15. */
export interface Ratio {
  readonly newShares: Decimal;
  readonly oldShares: Decimal;
}

export const NO_SPLIT: Ratio = { newShares: '1', oldShares: '1' };

/** Number of decimals of the other side of a ratio below one: 0.6666666667 is 1 for 1.5. */
const RATIO_DECIMAL_PLACES = 2;

/** Returns the fraction that was rounded to a decimal ratio; if there is no simple one, the decimal itself over one. */
export function exactRatio(ratio: Decimal): Ratio {
  const inverse = compareDecimals(ratio, '1') < 0 ? divide('1', ratio) : null;
  if (inverse === null) return { newShares: ratio, oldShares: '1' };
  const oldCount = quotient(roundTo(inverse, RATIO_DECIMAL_PLACES), '1');
  return divide('1', oldCount) === ratio
    ? { newShares: '1', oldShares: oldCount }
    : { newShares: ratio, oldShares: '1' };
}

/** Returns the ratio of two consecutive splits. */
export function combinedRatio(a: Ratio, b: Ratio): Ratio {
  return { newShares: multiply(a.newShares, b.newShares), oldShares: multiply(a.oldShares, b.oldShares) };
}

/** Returns new shares per old share, rounded to at most ten places. */
export function ratioDecimal({ newShares, oldShares }: Ratio): Decimal {
  return quotient(newShares, oldShares);
}

/** Converts a number of old shares to new ones. */
export function inNewShares(shares: Decimal, { newShares, oldShares }: Ratio): Decimal {
  return oldShares === '1' ? multiply(shares, newShares) : quotient(multiply(shares, newShares), oldShares);
}

/** Converts an amount per old share, such as a price, to one per new share; or a number of new shares to old ones. */
export function perNewShare(amount: Decimal, { newShares, oldShares }: Ratio): Decimal {
  return newShares === oldShares ? amount : quotient(multiply(amount, oldShares), newShares);
}

/** For display: 4:1, or 1:15 for a reverse split. */
export function ratioText(ratio: Decimal): string {
  const { newShares, oldShares } = exactRatio(ratio);
  return `${newShares}:${oldShares}`;
}

function quotient(a: Decimal, b: Decimal): Decimal {
  const value = divide(a, b);
  if (value === null) throw new RangeError('a split ratio is above zero');
  return value;
}
