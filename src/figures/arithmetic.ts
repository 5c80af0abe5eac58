/** Exact arithmetic on decimals as text. Only a quotient is rounded, to a stated scale. */
import { Decimal as Arbitrary } from 'decimal.js';
import type { Decimal } from '../contract/decimal.ts';

/** Ten decimal places, half to even: the scale of every ratio. */
export const RATIO_PLACES = 10;

/** Wide enough that sums and products of figures of a hundred digits are exact. */
const Exact = Arbitrary.clone({ precision: 400, rounding: Arbitrary.ROUND_HALF_EVEN, toExpNeg: -9e15, toExpPos: 9e15 });

export function add(a: Decimal, b: Decimal): Decimal {
  if (isWhole(a) && isWhole(b)) return (BigInt(a) + BigInt(b)).toString();
  return new Exact(a).plus(b).toFixed();
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  if (isWhole(a) && isWhole(b)) return (BigInt(a) - BigInt(b)).toString();
  return new Exact(a).minus(b).toFixed();
}

/** Amounts of money mostly are, and a BigInt is as exact and several times faster. */
function isWhole(value: Decimal): boolean {
  return !value.includes('.');
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return new Exact(a).times(b).toFixed();
}

export function absolute(a: Decimal): Decimal {
  return a.startsWith('-') ? a.slice(1) : a;
}

export function negate(a: Decimal): Decimal {
  return new Exact(a).negated().plus(0).toFixed();
}

/** The quotient at the scale of ratios, without trailing zeros; null where the denominator is zero. */
export function divide(a: Decimal, b: Decimal): Decimal | null {
  const denominator = new Exact(b);
  if (denominator.isZero()) return null;
  const quotient = new Exact(a).dividedBy(denominator).toDecimalPlaces(RATIO_PLACES);
  return quotient.isZero() ? '0' : quotient.toFixed();
}

/** Whether `a` differs from `b` by no more than the given fraction of `b`. */
export function nearlyEqual(a: Decimal, b: Decimal, fraction: Decimal): boolean {
  const target = new Exact(b);
  return new Exact(a).minus(target).abs().lessThanOrEqualTo(target.abs().times(fraction));
}

export function roundToInteger(a: Decimal): Decimal {
  return new Exact(a).toDecimalPlaces(0).toFixed();
}

/** Half of the last digit's unit: how far a figure as written may be from the one that was rounded. */
export function halfUnit(a: Decimal): Decimal {
  const places = a.split('.')[1]?.length ?? 0;
  return places === 0 ? '0.5' : `0.${'0'.repeat(places)}5`;
}
