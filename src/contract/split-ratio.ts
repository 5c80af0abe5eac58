/**
 * The ratio of a share split as a fraction. A reverse split of one share for fifteen has the ratio 0.0666666667, which
 * is rounded: figures are put through the fraction, so that no digit of theirs is lost.
 */
import { divide, multiply, roundTo } from './decimal.ts';
import { compareDecimals, type Decimal } from './decimal-text.ts';

/** New shares for old ones: 4 for 1, or 1 for 15. */
export interface Ratio {
  readonly fresh: Decimal;
  readonly old: Decimal;
}

export const NO_SPLIT: Ratio = { fresh: '1', old: '1' };

/** Places of the other side of a ratio below one, as of 0.6666666667: 1 for 1.5. */
const PLACES = 2;

/** The fraction that a decimal ratio is the rounding of; the decimal itself over one where it is of none so simple. */
export function exactRatio(ratio: Decimal): Ratio {
  const inverse = compareDecimals(ratio, '1') < 0 ? divide('1', ratio) : null;
  if (inverse === null) return { fresh: ratio, old: '1' };
  const old = quotient(roundTo(inverse, PLACES), '1');
  return divide('1', old) === ratio ? { fresh: '1', old } : { fresh: ratio, old: '1' };
}

/** Both splits, one after the other. */
export function combinedRatio(a: Ratio, b: Ratio): Ratio {
  return { fresh: multiply(a.fresh, b.fresh), old: multiply(a.old, b.old) };
}

/** New shares per old share, rounded to ten places where it has more. */
export function ratioDecimal({ fresh, old }: Ratio): Decimal {
  return quotient(fresh, old);
}

/** A number of old shares in new ones. */
export function inNewShares(shares: Decimal, { fresh, old }: Ratio): Decimal {
  return old === '1' ? multiply(shares, fresh) : quotient(multiply(shares, fresh), old);
}

/** An amount per old share, as a price, per new one; or a number of new shares in old ones. */
export function perNewShare(amount: Decimal, { fresh, old }: Ratio): Decimal {
  return fresh === old ? amount : quotient(multiply(amount, old), fresh);
}

/** For people: 4:1, or 1:15 of a reverse split. */
export function ratioText(ratio: Decimal): string {
  const { fresh, old } = exactRatio(ratio);
  return `${fresh}:${old}`;
}

function quotient(a: Decimal, b: Decimal): Decimal {
  const value = divide(a, b);
  if (value === null) throw new RangeError('a split ratio is above zero');
  return value;
}
