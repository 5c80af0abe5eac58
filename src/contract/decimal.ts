/**
 * Exact arithmetic on decimal strings, without exponents. Sums, products and quotients are computed with BigInt in
 * units of the last decimal place. Quotients and roots are rounded to ten places, half to even. decimal.js is used only
 * to round to fewer places or to a multiple.
 */
import { Decimal as Big } from 'decimal.js';
import { compareDecimals, type Decimal, insertPoint, isZero } from './decimal-text.ts';
import { onFirstUse } from './on-first-use.ts';

/** Number of decimal places to which quotients and roots are rounded. */
const ROUNDED_PLACES = 10;

// Marked as pure, so that bundles that do not round omit decimal.js.
const getExactDecimal = /* @__PURE__ */ onFirstUse(() =>
  Big.clone({ precision: 400, rounding: Big.ROUND_HALF_EVEN, toExpNeg: -9e15, toExpPos: 9e15 }),
);

const toBig = (a: Decimal): Big => new (getExactDecimal())(a);

/** A decimal as an integer: 12.34 has 1234 `units` and 2 `places`. */
interface ScaledInteger {
  readonly units: bigint;
  readonly places: number;
}

function toScaledInteger(a: Decimal): ScaledInteger {
  const dot = a.indexOf('.');
  if (dot < 0) return { units: BigInt(a), places: 0 };
  return { units: BigInt(a.slice(0, dot) + a.slice(dot + 1)), places: a.length - dot - 1 };
}

const ZERO_CODE = 48;

/**
 * Converts to text, without trailing zeros. A loop finds the zeros faster than a regular expression; a screen converts
 * thousands of figures.
 */
function formatScaled({ units, places }: ScaledInteger): Decimal {
  if (places === 0 || units === 0n) return units.toString();
  const digits = takeAbsoluteUnits(units).toString();
  let length = digits.length;
  while (length > digits.length - places && digits.charCodeAt(length - 1) === ZERO_CODE) length -= 1;
  return insertPoint(units < 0n, digits.slice(0, length), places - (digits.length - length));
}

/** Powers of ten by exponent. Computed once, because computing a power takes as long as a division. */
const POWERS_OF_TEN = Array.from({ length: 32 }, (_, exponent) => 10n ** BigInt(exponent));

const computePowerOfTen = (exponent: number): bigint => POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);

const scaleUnits = (places: number, a: ScaledInteger): bigint =>
  a.places === places ? a.units : a.units * computePowerOfTen(places - a.places);

function addScaled(a: ScaledInteger, b: ScaledInteger): ScaledInteger {
  const places = Math.max(a.places, b.places);
  return { units: scaleUnits(places, a) + scaleUnits(places, b), places };
}

export const add = (a: Decimal, b: Decimal): Decimal => formatScaled(addScaled(toScaledInteger(a), toScaledInteger(b)));

export function sum(values: Iterable<Decimal>): Decimal {
  let total: ScaledInteger = { units: 0n, places: 0 };
  for (const value of values) total = addScaled(total, toScaledInteger(value));
  return formatScaled(total);
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const { units, places } = toScaledInteger(b);
  return formatScaled(addScaled(toScaledInteger(a), { units: -units, places }));
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  const scaledA = toScaledInteger(a);
  const scaledB = toScaledInteger(b);
  return formatScaled({ units: scaledA.units * scaledB.units, places: scaledA.places + scaledB.places });
}

/** Returns the quotient rounded to ten places, without trailing zeros; null if the denominator is zero. */
export function divide(a: Decimal, b: Decimal): Decimal | null {
  const above = toScaledInteger(a);
  const below = toScaledInteger(b);
  if (below.units === 0n) return null;
  const places = ROUNDED_PLACES + below.places - above.places;
  const dividend = takeAbsoluteUnits(above.units) * (places > 0 ? computePowerOfTen(places) : 1n);
  const divisor = takeAbsoluteUnits(below.units) * (places < 0 ? computePowerOfTen(-places) : 1n);
  const quotient = dividend / divisor;
  const doubled = 2n * (dividend - quotient * divisor);
  const roundsUp = doubled > divisor || (doubled === divisor && quotient % 2n === 1n);
  const units = roundsUp ? quotient + 1n : quotient;
  const isPositive = above.units < 0n === below.units < 0n;
  return formatScaled({ units: isPositive ? units : -units, places: ROUNDED_PLACES });
}

/**
 * Returns the yearly growth rate from `a` to `b`, both greater than zero: the root of `b / a` of degree `years`, minus
 * one, correctly rounded to ten places (half to even).
 */
export function computeCompoundGrowthRate(a: Decimal, b: Decimal, years: number): Decimal {
  const [firstScaled, lastScaled] = [toScaledInteger(a), toScaledInteger(b)];
  const places = Math.max(firstScaled.places, lastScaled.places);
  const [first, last] = [scaleUnits(places, firstScaled), scaleUnits(places, lastScaled)];
  const [exponent, scale] = [BigInt(years), 10n ** BigInt(ROUNDED_PLACES)];
  const root = floorRoot((last * scale ** exponent) / first, exponent);
  // Rounds up if the exact root is nearer to `root + 1` than to `root`. Compares powers instead of roots, because the
  // powers are integers.
  const [midpoint, exact] = [(2n * root + 1n) ** exponent * first, (2n * scale) ** exponent * last];
  const roundsUp = exact > midpoint || (exact === midpoint && root % 2n === 1n);
  return formatScaled({ units: (roundsUp ? root + 1n : root) - scale, places: ROUNDED_PLACES });
}

/** Returns the integer part of the root of a value, by Newton's method starting above the root. */
function floorRoot(value: bigint, power: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / Number(power)));
  for (;;) {
    const nextRoot = ((power - 1n) * root + value / root ** (power - 1n)) / power;
    if (nextRoot >= root) return root;
    root = nextRoot;
  }
}

const takeAbsoluteUnits = (units: bigint): bigint => (units < 0n ? -units : units);

/** Returns the absolute value; the digits are unchanged. */
export const takeAbsoluteValue = (a: Decimal): Decimal => (a.startsWith('-') ? a.slice(1) : a);

export function negate(a: Decimal): Decimal {
  // Fast path on the text, because nearly every amount is an integer.
  if (!a.includes('.') && !isZero(a)) return a.startsWith('-') ? a.slice(1) : `-${a}`;
  const { units, places } = toScaledInteger(a);
  return formatScaled({ units: -units, places });
}

/** Whether `a` and `b` differ by at most `fraction` times the absolute value of `b`. */
export const isNearlyEqual = (a: Decimal, b: Decimal, fraction: Decimal): boolean =>
  a === b || compareDecimals(takeAbsoluteValue(subtract(a, b)), multiply(takeAbsoluteValue(b), fraction)) <= 0;

export const roundToWhole = (a: Decimal): Decimal => formatBig(toBig(a).toDecimalPlaces(0));

/** Rounds half away from zero to exactly `places` places, for display. */
export function roundToPlaces(a: Decimal, places: number): Decimal {
  const text = toBig(a).toFixed(places, Big.ROUND_HALF_UP);
  return isZero(text) && text.startsWith('-') ? text.slice(1) : text;
}

/**
 * Returns the greatest number that does not exceed `a` and is a multiple of `multiple` (1, 2 or 5 times a power of
 * ten).
 */
export const floorToMultiple = (a: Decimal, multiple: Decimal): Decimal =>
  formatBig(toBig(a).dividedBy(multiple).floor().times(multiple));

/** Returns the median; for an even number of values, the larger of the two middle values. Throws for an empty list. */
export function findUpperMedian(values: readonly Decimal[]): Decimal {
  const middle = [...values].sort(compareDecimals)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new RangeError('an empty list has no median');
  return middle;
}

/** Returns half a unit of the last decimal place (`0.05` for `12.3`): the maximum rounding error of a figure. */
export function computeHalfOfLastPlace(a: Decimal): Decimal {
  const dot = a.indexOf('.');
  return dot < 0 ? '0.5' : `0.${'0'.repeat(a.length - dot - 1)}5`;
}

/** Converts to text without an exponent; zero has no sign. */
const formatBig = (value: Big): Decimal => (value.isZero() ? '0' : value.toFixed());
