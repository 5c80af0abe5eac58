/**
 * Exact arithmetic on decimals as text, by decimal.js: decimal strings in and out, without exponents.
 *
 * Sums and products are exact to 400 digits; only a quotient is rounded, half to even, to ten places. Whole numbers, as
 * most amounts are, are added as BigInt.
 */
import { Decimal as Arbitrary } from 'decimal.js';
import { type Decimal, isZero } from './decimal-text.ts';

/** The scale of every ratio. */
const RATIO_PLACES = 10;

const SETTINGS = { rounding: Arbitrary.ROUND_HALF_EVEN, toExpNeg: -9e15, toExpPos: 9e15 };
const Exact = Arbitrary.clone({ ...SETTINGS, precision: 400 });
/** Division works digit by digit; the places beyond the tenth only decide the rounding. */
const Quotient = Arbitrary.clone({ ...SETTINGS, precision: 100 });

/** A whole number that BigInt reads faster than decimal.js, and prints as it does. */
const WHOLE = /^-?\d{1,30}$/;

export function add(a: Decimal, b: Decimal): Decimal {
  if (WHOLE.test(a) && WHOLE.test(b)) return (BigInt(a) + BigInt(b)).toString();
  return textOf(new Exact(a).plus(b));
}

export function sum(values: Iterable<Decimal>): Decimal {
  let whole = 0n;
  let rest: Arbitrary | null = null;
  for (const value of values) {
    if (WHOLE.test(value)) whole += BigInt(value);
    else rest = (rest ?? new Exact('0')).plus(value);
  }
  return rest === null ? whole.toString() : textOf(rest.plus(whole.toString()));
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  if (WHOLE.test(a) && WHOLE.test(b)) return (BigInt(a) - BigInt(b)).toString();
  return textOf(new Exact(a).minus(b));
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return textOf(new Exact(a).times(b));
}

/** The quotient to ten places, without trailing zeros; null where the denominator is zero. */
export function divide(a: Decimal, b: Decimal): Decimal | null {
  const denominator = new Quotient(b);
  if (denominator.isZero()) return null;
  return textOf(new Quotient(a).dividedBy(denominator).toDecimalPlaces(RATIO_PLACES));
}

/** Without its sign; the digits stay as they are. */
export function absolute(a: Decimal): Decimal {
  return a.startsWith('-') ? a.slice(1) : a;
}

export function negate(a: Decimal): Decimal {
  if (WHOLE.test(a)) return (-BigInt(a)).toString();
  return textOf(new Exact(a).negated());
}

/** Whether `a` differs from `b` by no more than the given fraction of `b`. */
export function nearlyEqual(a: Decimal, b: Decimal, fraction: Decimal): boolean {
  const target = new Exact(b);
  return new Exact(a).minus(target).abs().lessThanOrEqualTo(target.abs().times(fraction));
}

export function roundToInteger(a: Decimal): Decimal {
  return textOf(new Exact(a).toDecimalPlaces(0));
}

/** Rounded half away from zero to exactly so many places, as a shown figure. */
export function roundTo(a: Decimal, places: number): Decimal {
  const text = new Exact(a).toFixed(places, Arbitrary.ROUND_HALF_UP);
  return isZero(text) && text.startsWith('-') ? text.slice(1) : text;
}

/** The greatest multiple of `step`, a power of ten times 1, 2 or 5, that is no greater than `a`. */
export function floorTo(a: Decimal, step: Decimal): Decimal {
  return textOf(new Exact(a).dividedBy(step).floor().times(step));
}

/** Half of a unit of the last digit: how far a rounded figure may be from the original. */
export function halfUnit(a: Decimal): Decimal {
  const dot = a.indexOf('.');
  return dot < 0 ? '0.5' : `0.${'0'.repeat(a.length - dot - 1)}5`;
}

/** Without an exponent, and zero without a sign. */
function textOf(value: Arbitrary): Decimal {
  return value.isZero() ? '0' : value.toFixed();
}
