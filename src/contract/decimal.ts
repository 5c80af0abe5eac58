/**
 * Exact arithmetic on decimals as text: decimal strings in and out, without exponents.
 * Sums, products and quotients are computed on integers of the last place, as BigInt. Only quotients and roots
 * are rounded, half to even, to ten places. decimal.js rounds for display.
 */
import { Decimal as Arbitrary } from 'decimal.js';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from './decimal-text.ts';

/** Number of decimal places of every ratio. */
const RATIO_PLACES = 10;

const Exact = Arbitrary.clone({
  precision: 400,
  rounding: Arbitrary.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});

/** A decimal as `units` of its last place; `places` is the number of decimal places. */
interface Scaled {
  readonly units: bigint;
  readonly places: number;
}

function scaled(a: Decimal): Scaled {
  const dot = a.indexOf('.');
  if (dot < 0) return { units: BigInt(a), places: 0 };
  return { units: BigInt(a.slice(0, dot) + a.slice(dot + 1)), places: a.length - dot - 1 };
}

/** Removes trailing zeros. */
function textOfScaled({ units, places }: Scaled): Decimal {
  return places === 0 ? units.toString() : shiftDecimal(units.toString(), -places).replace(/\.?0+$/, '');
}

function unitsAt(places: number, a: Scaled): bigint {
  return a.places === places ? a.units : a.units * 10n ** BigInt(places - a.places);
}

function plus(a: Scaled, b: Scaled): Scaled {
  const places = Math.max(a.places, b.places);
  return { units: unitsAt(places, a) + unitsAt(places, b), places };
}

export function add(a: Decimal, b: Decimal): Decimal {
  return textOfScaled(plus(scaled(a), scaled(b)));
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total: Scaled = { units: 0n, places: 0 };
  for (const value of values) total = plus(total, scaled(value));
  return textOfScaled(total);
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const { units, places } = scaled(b);
  return textOfScaled(plus(scaled(a), { units: -units, places }));
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  const [one, other] = [scaled(a), scaled(b)];
  return textOfScaled({ units: one.units * other.units, places: one.places + other.places });
}

/** Returns the quotient to ten places, without trailing zeros; null if the denominator is zero. */
export function divide(a: Decimal, b: Decimal): Decimal | null {
  const [one, other] = [scaled(a), scaled(b)];
  if (other.units === 0n) return null;
  const places = RATIO_PLACES + other.places - one.places;
  const dividend = magnitude(one.units) * (places > 0 ? 10n ** BigInt(places) : 1n);
  const divisor = magnitude(other.units) * (places < 0 ? 10n ** BigInt(-places) : 1n);
  const [whole, twiceLeft] = [dividend / divisor, 2n * (dividend % divisor)];
  const isUp = twiceLeft > divisor || (twiceLeft === divisor && whole % 2n === 1n);
  const units = isUp ? whole + 1n : whole;
  return textOfScaled({ units: one.units < 0n === other.units < 0n ? units : -units, places: RATIO_PLACES });
}

/**
 * Returns the yearly rate by which `a` grows to `b`, both above zero: the root of their quotient less one, exact to ten
 * places, half to even.
 */
export function yearlyRate(a: Decimal, b: Decimal, years: number): Decimal {
  const [from, to] = [scaled(a), scaled(b)];
  const places = Math.max(from.places, to.places);
  const [first, last] = [unitsAt(places, from), unitsAt(places, to)];
  const [power, one] = [BigInt(years), 10n ** BigInt(RATIO_PLACES)];
  const root = floorRoot((last * one ** power) / first, power);
  // Whether the exact root is above the middle between this multiple of a unit and the next.
  const [middle, exact] = [(2n * root + 1n) ** power * first, (2n * one) ** power * last];
  const isUp = exact > middle || (exact === middle && root % 2n === 1n);
  return textOfScaled({ units: (isUp ? root + 1n : root) - one, places: RATIO_PLACES });
}

/** Returns the greatest integer whose power is not above the value, by Newton's method from above. */
function floorRoot(value: bigint, power: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / Number(power)));
  for (;;) {
    const next = ((power - 1n) * root + value / root ** (power - 1n)) / power;
    if (next >= root) return root;
    root = next;
  }
}

const magnitude = (units: bigint): bigint => (units < 0n ? -units : units);

/** Returns the value without its sign; its digits do not change. */
export function absolute(a: Decimal): Decimal {
  return a.startsWith('-') ? a.slice(1) : a;
}

export function negate(a: Decimal): Decimal {
  // Works on text, because nearly every amount is an integer.
  if (!a.includes('.') && !isZero(a)) return a.startsWith('-') ? a.slice(1) : `-${a}`;
  const { units, places } = scaled(a);
  return textOfScaled({ units: -units, places });
}

/** Whether `a` differs from `b` by no more than the given fraction of `b`. */
export function nearlyEqual(a: Decimal, b: Decimal, fraction: Decimal): boolean {
  return compareDecimals(absolute(subtract(a, b)), multiply(absolute(b), fraction)) <= 0;
}

export function roundToInteger(a: Decimal): Decimal {
  return textOf(new Exact(a).toDecimalPlaces(0));
}

/** Rounds half away from zero to exactly `places` places, for display. */
export function roundTo(a: Decimal, places: number): Decimal {
  const text = new Exact(a).toFixed(places, Arbitrary.ROUND_HALF_UP);
  return isZero(text) && text.startsWith('-') ? text.slice(1) : text;
}

/** Returns the greatest multiple of `step` (a power of ten times 1, 2 or 5) that is not greater than `a`. */
export function floorTo(a: Decimal, step: Decimal): Decimal {
  return textOf(new Exact(a).dividedBy(step).floor().times(step));
}

/** Returns half a unit of the last digit: the maximum rounding error of a figure. */
export function halfUnit(a: Decimal): Decimal {
  const dot = a.indexOf('.');
  return dot < 0 ? '0.5' : `0.${'0'.repeat(a.length - dot - 1)}5`;
}

/** Returns text without an exponent, and zero without a sign. */
function textOf(value: Arbitrary): Decimal {
  return value.isZero() ? '0' : value.toFixed();
}
