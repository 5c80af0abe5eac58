/**
 * Exact arithmetic on decimals as text. Only a quotient is rounded, to a stated scale. Amounts of money mostly are
 * whole numbers, and a BigInt is as exact and several times faster for their sums and quotients; decimal.js does the rest.
 */
import { Decimal as Arbitrary } from 'decimal.js';
import { type Decimal, isZero } from './decimal-text.ts';

/** Ten decimal places, half to even: the scale of every ratio. */
export const RATIO_PLACES = 10;

const SETTINGS = { rounding: Arbitrary.ROUND_HALF_EVEN, toExpNeg: -9e15, toExpPos: 9e15 };
/** Wide enough that sums and products of figures of a hundred digits are exact. */
const Exact = Arbitrary.clone({ ...SETTINGS, precision: 400 });
/** A quotient is worked out digit by digit, and of these none beyond its ten places is needed but to round by. */
const Quotient = Arbitrary.clone({ ...SETTINGS, precision: 100 });

export function add(a: Decimal, b: Decimal): Decimal {
  if (isWhole(a) && isWhole(b)) return (BigInt(a) + BigInt(b)).toString();
  return textOf(new Exact(a).plus(b));
}

export function sum(values: Iterable<Decimal>): Decimal {
  let whole = 0n;
  let rest: Decimal = '0';
  for (const value of values) {
    if (isWhole(value)) whole += BigInt(value);
    else rest = add(rest, value);
  }
  return add(whole.toString(), rest);
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  if (isWhole(a) && isWhole(b)) return (BigInt(a) - BigInt(b)).toString();
  return textOf(new Exact(a).minus(b));
}

function isWhole(value: Decimal): boolean {
  return !value.includes('.');
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  if (isWhole(a) && isWhole(b)) return (BigInt(a) * BigInt(b)).toString();
  return textOf(new Exact(a).times(b));
}

export function absolute(a: Decimal): Decimal {
  return a.startsWith('-') ? a.slice(1) : a;
}

export function negate(a: Decimal): Decimal {
  return subtract('0', a);
}

/** The quotient at the scale of ratios, without trailing zeros; null where the denominator is zero. */
export function divide(a: Decimal, b: Decimal): Decimal | null {
  if (isWhole(a) && isWhole(b)) return divideWhole(BigInt(a), BigInt(b));
  const denominator = new Quotient(b);
  if (denominator.isZero()) return null;
  return textOf(new Quotient(a).dividedBy(denominator).toDecimalPlaces(RATIO_PLACES));
}

const SHIFT = 10n ** BigInt(RATIO_PLACES);

function divideWhole(a: bigint, b: bigint): Decimal | null {
  if (b === 0n) return null;
  const units = nearestWhole(magnitude(a) * SHIFT, magnitude(b));
  if (units === 0n) return '0';
  const sign = a < 0n === b < 0n ? '' : '-';
  const fraction = (units % SHIFT).toString().padStart(RATIO_PLACES, '0').replace(/0+$/, '');
  return `${sign}${units / SHIFT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Of the quotient of what is not negative; from the middle the even one. */
function nearestWhole(a: bigint, b: bigint): bigint {
  const [whole, twice] = [a / b, (a % b) * 2n];
  return twice > b || (twice === b && whole % 2n === 1n) ? whole + 1n : whole;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Whether `a` differs from `b` by no more than the given fraction of `b`. */
export function nearlyEqual(a: Decimal, b: Decimal, fraction: Decimal): boolean {
  if (isWhole(a) && isWhole(b)) {
    const [off, whole] = [magnitude(BigInt(a) - BigInt(b)), magnitude(BigInt(b))];
    const [units = '', places = ''] = fraction.split('.');
    return off * 10n ** BigInt(places.length) <= whole * BigInt(units + places);
  }
  const target = new Exact(b);
  return new Exact(a).minus(target).abs().lessThanOrEqualTo(target.abs().times(fraction));
}

export function roundToInteger(a: Decimal): Decimal {
  return textOf(new Exact(a).toDecimalPlaces(0));
}

/** Rounded half away from zero to exactly so many places, as people expect of a shown figure. */
export function roundTo(a: Decimal, places: number): Decimal {
  const text = new Exact(a).toFixed(places, Arbitrary.ROUND_HALF_UP);
  return isZero(text) && text.startsWith('-') ? text.slice(1) : text;
}

/** The greatest multiple of `step`, a power of ten times 1, 2 or 5, that is no greater than `a`. */
export function floorTo(a: Decimal, step: Decimal): Decimal {
  return textOf(new Exact(a).dividedBy(step).floor().times(step));
}

/** Half of the last digit's unit: how far a figure as written may be from the one that was rounded. */
export function halfUnit(a: Decimal): Decimal {
  const places = a.split('.')[1]?.length ?? 0;
  return places === 0 ? '0.5' : `0.${'0'.repeat(places)}5`;
}

/** Without an exponent, and zero without a sign. */
function textOf(value: Arbitrary): Decimal {
  return value.isZero() ? '0' : value.toFixed();
}
