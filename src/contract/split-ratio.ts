/**
 * The ratio of a share split as a fraction. The decimal ratio of a 1-for-15 reverse split is rounded (0.0666666667);
 * computing with the fraction is exact.
 */
import { divide, multiply, roundTo } from './decimal.ts';
import { compareDecimals, type Decimal } from './decimal-text.ts';

/** Number of new shares for a number of old shares: 4 for 1, or 1 for 15. */
export interface Ratio {
  readonly fresh: Decimal;
  readonly old: Decimal;
}

export const NO_SPLIT: Ratio = { fresh: '1', old: '1' };

/**
 * Number of decimals to which the number of old shares is rounded if the ratio is below one: 0.6666666667 means 1 for
 * 1.5.
 */
const RATIO_DECIMAL_PLACES = 2;

/**
 * Returns the fraction from which a decimal ratio was rounded. If no simple fraction fits, returns `ratio` new shares
 * for one old share.
 */
export function exactRatio(ratio: Decimal): Ratio {
  const inverse = compareDecimals(ratio, '1') < 0 ? divide('1', ratio) : null;
  if (inverse === null) return { fresh: ratio, old: '1' };
  const oldCount = divideByNonzero(roundTo(inverse, RATIO_DECIMAL_PLACES), '1');
  return divide('1', oldCount) === ratio ? { fresh: '1', old: oldCount } : { fresh: ratio, old: '1' };
}

/** Returns the ratio of two consecutive splits combined. */
export function combinedRatio(a: Ratio, b: Ratio): Ratio {
  return { fresh: multiply(a.fresh, b.fresh), old: multiply(a.old, b.old) };
}

/** Returns the number of new shares per old share, rounded to at most ten places. */
export function ratioDecimal({ fresh, old }: Ratio): Decimal {
  return divideByNonzero(fresh, old);
}

/** Converts a number of old shares to new shares. */
export function inNewShares(shares: Decimal, { fresh, old }: Ratio): Decimal {
  return old === '1' ? multiply(shares, fresh) : divideByNonzero(multiply(shares, fresh), old);
}

/**
 * Converts an amount per old share, such as a price, to an amount per new share. The same formula converts a number of
 * new shares to old shares.
 */
export function perNewShare(amount: Decimal, { fresh, old }: Ratio): Decimal {
  return fresh === old ? amount : divideByNonzero(multiply(amount, old), fresh);
}

/** Formats a ratio for display: 4:1, or 1:15 for a reverse split. */
export function ratioText(ratio: Decimal): string {
  const { fresh, old } = exactRatio(ratio);
  return `${fresh}:${old}`;
}

function divideByNonzero(a: Decimal, b: Decimal): Decimal {
  const value = divide(a, b);
  if (value === null) throw new RangeError('a split ratio is above zero');
  return value;
}
