/**
 * The ratio of a share split as a fraction. The decimal ratio of a 1-for-15 reverse split is rounded (0.0666666667);
 * computing with the fraction is exact.
 */
import { divide, multiply, roundToPlaces } from './decimal.ts';
import { compareDecimals, type Decimal } from './decimal-text.ts';

/** Number of new shares for a number of old shares, such as 4 new for 1 old, or 1 new for 15 old. */
export interface SplitRatio {
  readonly newShares: Decimal;
  readonly oldShares: Decimal;
}

export const NO_SPLIT: SplitRatio = { newShares: '1', oldShares: '1' };

/**
 * Old shares are rounded to this number of decimals if the ratio is below one: 0.6666666667 means 1 new share for 1.5
 * old shares.
 */
const OLD_SHARES_DECIMAL_PLACES = 2;

/**
 * Returns the fraction from which a ratio below one was rounded: 0.0666666667 becomes 1 new share for 15 old shares.
 * For any other ratio, or if no simple fraction fits, returns `ratio` new shares for one old share.
 */
export function findExactRatio(ratio: Decimal): SplitRatio {
  const inverse = compareDecimals(ratio, '1') < 0 ? divide('1', ratio) : null;
  if (inverse === null) return { newShares: ratio, oldShares: '1' };
  const oldShares = divideByNonzero(roundToPlaces(inverse, OLD_SHARES_DECIMAL_PLACES), '1');
  return divide('1', oldShares) === ratio ? { newShares: '1', oldShares } : { newShares: ratio, oldShares: '1' };
}

/** Returns the ratio from new shares back to old shares. */
export const invertRatio = (ratio: SplitRatio) => ({ newShares: ratio.oldShares, oldShares: ratio.newShares });

/** Returns the ratio of two consecutive splits combined. */
export const combineRatios = (a: SplitRatio, b: SplitRatio): SplitRatio => ({
  newShares: multiply(a.newShares, b.newShares),
  oldShares: multiply(a.oldShares, b.oldShares),
});

/** Returns the number of new shares per old share, rounded to at most ten places. */
export const convertToDecimal = ({ newShares, oldShares }: SplitRatio) => divideByNonzero(newShares, oldShares);

export const convertToNewShares = (shares: Decimal, { newShares, oldShares }: SplitRatio): Decimal =>
  oldShares === '1' ? multiply(shares, newShares) : divideByNonzero(multiply(shares, newShares), oldShares);

/**
 * Converts an amount per old share, such as a price, to an amount per new share. The same formula converts a number of
 * new shares to old shares.
 */
export const convertToPerNewShare = (amount: Decimal, { newShares, oldShares }: SplitRatio): Decimal =>
  newShares === oldShares ? amount : divideByNonzero(multiply(amount, oldShares), newShares);

/** Formats a ratio for display: 4:1, or 1:15 for a reverse split. */
export function formatSplitRatio(ratio: Decimal): string {
  const { newShares, oldShares } = findExactRatio(ratio);
  return `${newShares}:${oldShares}`;
}

function divideByNonzero(a: Decimal, b: Decimal): Decimal {
  const value = divide(a, b);
  if (value === null) throw new RangeError('a split ratio must be above zero');
  return value;
}
