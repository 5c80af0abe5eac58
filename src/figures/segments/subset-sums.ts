/**
 * Finds members that add up to an amount. The same members must add up in every period, with enough digits to exclude
 * chance.
 */
import type { Decimal } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/collections.ts';

/** The figures of a member or the total, period by period. */
export type Vector = readonly bigint[];

/**
 * Returns one vector per column of a table of figures.
 * @param rows figures of all columns in each period, as decimals
 */
export function toVectors(rows: readonly (readonly Decimal[])[]): Vector[] {
  const integerRows = rows.map(toIntegers);
  return assertDefined(integerRows[0]).map((_, column) => integerRows.map((row) => assertDefined(row[column])));
}

/**
 * Margin in bits: n members have 2^n subsets, so sums of figures with n + 10 bits match by chance with a probability
 * below 1 in 2^10.
 */
const MARGIN_BITS = 10;

/** Returns the sum of a member's absolute figures over all periods. */
export const sumMagnitudes = (vector: Vector): bigint => vector.reduce((sum, value) => sum + takeAbsolute(value), 0n);

/**
 * Returns integers proportional to the decimals, divided by their greatest common divisor, so that only significant
 * digits remain.
 */
function toIntegers(values: readonly Decimal[]): bigint[] {
  const places = Math.max(...values.map((value) => getFraction(value).length));
  const integers = values.map((value) => {
    const fraction = getFraction(value);
    const digits = fraction === '' ? value : value.slice(0, -fraction.length - 1) + fraction;
    return BigInt(digits + '0'.repeat(places - fraction.length));
  });
  const divisor = integers.reduce((a, b) => computeGreatestCommonDivisor(a, takeAbsolute(b)), 0n);
  return divisor === 0n ? integers : integers.map((value) => value / divisor);
}

function getFraction(value: Decimal): string {
  const dot = value.indexOf('.');
  return dot < 0 ? '' : value.slice(dot + 1);
}

const computeGreatestCommonDivisor = (a: bigint, b: bigint): bigint =>
  b === 0n ? a : computeGreatestCommonDivisor(b, a % b);

/**
 * Returns the largest set of vectors that add up to the target in every coordinate; null if no set does, or only by
 * chance.
 * Combines the subsets of two halves, so that work and memory double only with every second vector.
 */
export function findLargestSubset(vectors: readonly Vector[], target: Vector): ReadonlySet<number> | null {
  if (!isChanceSumImprobable(target, vectors.length)) return null;
  const half = vectors.length >> 1;
  const lefts = enumerateSubsets(vectors.slice(0, half), target.length);
  const rights = enumerateSubsets(vectors.slice(half), target.length);
  let best: { readonly mask: number; readonly otherMask: number; readonly size: number } | null = null;
  for (const [key, { mask, size }] of rights) {
    const remainder = key.split(' ').map((value, index) => assertDefined(target[index]) - BigInt(value));
    const leftHalf = lefts.get(remainder.join(' '));
    if (leftHalf !== undefined && (best === null || size + leftHalf.size > best.size))
      best = { mask: leftHalf.mask, otherMask: mask, size: size + leftHalf.size };
  }
  if (best === null || best.size === 0) return null;
  const rightIndexes = selectBits(best.otherMask, vectors.length - half).map((index) => half + index);
  return new Set([...selectBits(best.mask, half), ...rightIndexes]);
}

/** Maximum number of vectors among which `findNearSubset` searches: it tries every subset. */
const MAX_NEAR_VECTORS = 14;

/**
 * Returns the largest set of at least two vectors that add up to the target, except for rounding; null if no set does,
 * or only by chance. Of equally large sets, returns the one with the least difference.
 * @param units the size of the last digit that is not rounded, in every coordinate
 */
export function findNearSubset(vectors: readonly Vector[], target: Vector, units: Vector): ReadonlySet<number> | null {
  const count = vectors.length;
  if (count < 2 || count > MAX_NEAR_VECTORS || units.every((unit) => unit === 0n)) return null;
  // Sums that differ only by rounding count as one.
  const distinctSums = target.map((value, index) => value / (BigInt(count + 1) * (units[index] ?? 0n) + 1n));
  if (!isChanceSumImprobable(distinctSums, count)) return null;
  let best = { mask: 0, size: 0, distance: 0n };
  const visit = (index: number, remainder: Vector, mask: number, size: number): void => {
    const vector = vectors[index];
    if (vector === undefined) {
      const distance = sumMagnitudes(remainder);
      const isBetter = size > best.size || (size === best.size && distance < best.distance);
      if (isBetter && size >= 2 && isWithinRounding(remainder, units, size + 1)) best = { mask, size, distance };
      return;
    }
    visit(index + 1, remainder, mask, size);
    const nextRemainder = remainder.map((value, coordinate) => value - assertDefined(vector[coordinate]));
    visit(index + 1, nextRemainder, mask | (1 << index), size + 1);
  };
  visit(0, target, 0, 0);
  return best.size === 0 ? null : new Set(selectBits(best.mask, count));
}

/** Whether the differences can be rounding of `count` figures, each of which is off by at most half a unit. */
const isWithinRounding = (differences: Vector, units: Vector, count: number): boolean =>
  differences.every((value, index) => takeAbsolute(value) * 2n <= assertDefined(units[index]) * BigInt(count));

/** Returns the indexes of the bits that are 1 among the lowest `count` bits. */
const selectBits = (mask: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index).filter((index) => ((mask >> index) & 1) === 1);

const takeAbsolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** Whether the target's figures have enough bits that a chance sum is improbable. More members require more bits. */
function isChanceSumImprobable(target: Vector, count: number): boolean {
  const targetBits = target.reduce((bits, value) => bits + takeAbsolute(value).toString(2).length - 1, 0);
  return targetBits >= count + MARGIN_BITS;
}

/** Returns, for each possible sum, the largest set of vectors with that sum. */
function enumerateSubsets(vectors: readonly Vector[], length: number): Map<string, { mask: number; size: number }> {
  const bySum = new Map<string, { mask: number; size: number }>();
  const visit = (index: number, partial: Vector, mask: number, size: number): void => {
    const vector = vectors[index];
    if (vector === undefined) {
      const key = partial.join(' ');
      const existing = bySum.get(key);
      if (existing === undefined || existing.size < size) bySum.set(key, { mask, size });
      return;
    }
    visit(index + 1, partial, mask, size);
    const extended = partial.map((value, coordinate) => value + assertDefined(vector[coordinate]));
    visit(index + 1, extended, mask | (1 << index), size + 1);
  };
  visit(0, new Array<bigint>(length).fill(0n), 0, 0);
  return bySum;
}
