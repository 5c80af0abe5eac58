/**
 * Exact arithmetic on decimals as text: whole numbers with a dot kept in mind, so that no digit is ever lost and
 * a figure of any length costs what its digits cost. Only a quotient is rounded, to a stated scale.
 */
import { type Decimal, shiftDecimal } from '../contract/decimal.ts';

/** Ten decimal places, half to even: the scale of every ratio. */
export const RATIO_PLACES = 10;

export function add(a: Decimal, b: Decimal): Decimal {
  if (isWhole(a) && isWhole(b)) return (BigInt(a) + BigInt(b)).toString();
  const { one, other, places } = aligned(wholeOf(a), wholeOf(b));
  return trimmed(shiftDecimal((one + other).toString(), -places));
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  if (isWhole(a) && isWhole(b)) return (BigInt(a) - BigInt(b)).toString();
  const { one, other, places } = aligned(wholeOf(a), wholeOf(b));
  return trimmed(shiftDecimal((one - other).toString(), -places));
}

/** Amounts of money mostly are. */
function isWhole(value: Decimal): boolean {
  return !value.includes('.');
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  const [one, other] = [wholeOf(a), wholeOf(b)];
  return trimmed(shiftDecimal((one.digits * other.digits).toString(), -(one.places + other.places)));
}

export function absolute(a: Decimal): Decimal {
  return a.startsWith('-') ? a.slice(1) : a;
}

export function negate(a: Decimal): Decimal {
  return subtract('0', a);
}

/** The quotient at the scale of ratios, without trailing zeros; null where the denominator is zero. */
export function divide(a: Decimal, b: Decimal): Decimal | null {
  // Whole numbers throughout: a quotient of many digits is needed for none of its places but ten.
  const [top, bottom] = [wholeOf(a), wholeOf(b)];
  if (bottom.digits === 0n) return null;
  const shift = RATIO_PLACES + bottom.places - top.places;
  const numerator = shift >= 0 ? top.digits * powerOfTen(shift) : top.digits;
  const denominator = shift >= 0 ? bottom.digits : bottom.digits * powerOfTen(-shift);
  return trimmed(shiftDecimal(halfEven(numerator, denominator).toString(), -RATIO_PLACES));
}

/** Whether `a` differs from `b` by no more than the given fraction of `b`. */
export function nearlyEqual(a: Decimal, b: Decimal, fraction: Decimal): boolean {
  const { one, other } = aligned(wholeOf(a), wholeOf(b));
  const part = wholeOf(fraction);
  return magnitude(one - other) * powerOfTen(part.places) <= magnitude(other) * part.digits;
}

interface Whole {
  readonly digits: bigint;
  /** How many of the digits stand behind the dot. */
  readonly places: number;
}

function wholeOf(value: Decimal): Whole {
  const dot = value.indexOf('.');
  if (dot < 0) return { digits: BigInt(value), places: 0 };
  return { digits: BigInt(value.slice(0, dot) + value.slice(dot + 1)), places: value.length - dot - 1 };
}

/** Both with as many places as the one that has more. */
function aligned(a: Whole, b: Whole): { one: bigint; other: bigint; places: number } {
  const places = Math.max(a.places, b.places);
  const widen = ({ digits, places: own }: Whole) => (own === places ? digits : digits * powerOfTen(places - own));
  return { one: widen(a), other: widen(b), places };
}

const powerOfTen = (places: number): bigint => 10n ** BigInt(places);
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** The quotient of two whole numbers, rounded to the nearest, and from the middle to the even one. */
function halfEven(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const [top, bottom] = [magnitude(numerator), magnitude(denominator)];
  const quotient = top / bottom;
  const twice = (top - quotient * bottom) * 2n;
  const up = twice > bottom || (twice === bottom && quotient % 2n === 1n);
  const rounded = up ? quotient + 1n : quotient;
  return negative ? -rounded : rounded;
}

function trimmed(value: Decimal): Decimal {
  return value.includes('.') ? value.replace(/\.?0+$/, '') : value;
}

export function roundToInteger(a: Decimal): Decimal {
  const { digits, places } = wholeOf(a);
  return places === 0 ? digits.toString() : halfEven(digits, powerOfTen(places)).toString();
}

/** Half of the last digit's unit: how far a figure as written may be from the one that was rounded. */
export function halfUnit(a: Decimal): Decimal {
  const places = a.split('.')[1]?.length ?? 0;
  return places === 0 ? '0.5' : `0.${'0'.repeat(places)}5`;
}
