/**
 * Finds members that are sums of other members.
 * Filers put subtotals on the same axis as their parts (Product next to each product, a region next to its countries).
 * No tag marks subtotals, so they are found by their figures: the same members must add up in every period of the
 * report that has these members, with enough digits to exclude chance.
 */
import { isNearlyEqual, sum } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { pushTo } from '../../platform/collections.ts';
import { shortenName } from './axes.ts';
import type { Breakdown } from './breakdowns.ts';

/** A breakdown without subtotals. */
export interface LeafBreakdown extends Breakdown {
  /** Whether the members add up to the total. */
  readonly isComplete: boolean;
}

/**
 * Maximum number of members in the search for the largest set that adds up to the total; the work doubles with every
 * second member.
 */
const MAX_TOTAL_SET_MEMBERS = 28;
/** Maximum number of members in the search for subtotals. */
const MAX_SUBTOTAL_MEMBERS = 18;
/** Maximum relative difference between the members' sum and the total: filers round figures and omit small members. */
const TOTAL_TOLERANCE = '0.005';
/** Matches names of totals. Segments may sell to each other, so parts need not add up to such a total. */
const TOTAL_NAME_PATTERN = /^(?:Sub)?[Tt]otal(?=[A-Z])|Total$/;

/**
 * Returns the breakdowns without subtotals. A subtotal is a sum of other members in every period with the same members.
 * @param breakdowns breakdowns of one report, axis, concept and unit
 */
export function removeSubtotals(breakdowns: readonly Breakdown[]): readonly LeafBreakdown[] {
  // Groups periods with equal members, because members may differ between the periods of a report: a company stops
  // reporting a country, for example.
  const breakdownsByMembers = new Map<string, Breakdown[]>();
  for (const breakdown of breakdowns) {
    const key = [...breakdown.members.keys()].sort().join(' ');
    pushTo(breakdownsByMembers, key, breakdown);
  }
  return [...breakdownsByMembers.values()].flatMap(removeGroupSubtotals);
}

function removeGroupSubtotals(breakdowns: readonly Breakdown[]): readonly LeafBreakdown[] {
  const names = [...assertDefined(breakdowns[0]).members.keys()];
  const leafNames = breakdowns.every((breakdown) => sumsToTotal(breakdown, names, '0'))
    ? names
    : chooseLeafNames(breakdowns, names);
  return breakdowns.map((breakdown) => ({
    ...breakdown,
    members: new Map([...breakdown.members].filter(([name]) => leafNames.includes(name))),
    isComplete: sumsToTotal(breakdown, leafNames, TOTAL_TOLERANCE),
  }));
}

function chooseLeafNames(breakdowns: readonly Breakdown[], names: readonly string[]): readonly string[] {
  if (names.length < 3 || names.length > MAX_TOTAL_SET_MEMBERS) return names;
  const valueVectors = buildVectors(breakdowns, names);
  const namesAddingUp = findLargestSetWithTotal(breakdowns, names, valueVectors);
  if (namesAddingUp !== null) return namesAddingUp;
  // If the members add up to the total within rounding, no member is a subtotal.
  return breakdowns.some((breakdown) => sumsToTotal(breakdown, names, TOTAL_TOLERANCE))
    ? names
    : removeSumsAndNamedTotals(names, valueVectors);
}

function sumsToTotal(breakdown: Breakdown, names: readonly string[], tolerance: Decimal): boolean {
  return (
    breakdown.total !== null &&
    isNearlyEqual(sum(names.map((name) => assertDefined(breakdown.members.get(name)))), breakdown.total, tolerance)
  );
}

interface ValueVectors {
  /** One vector per member, containing the member's figures period by period. */
  readonly vectors: readonly (readonly bigint[])[];
  readonly totalVector: readonly bigint[];
}

function buildVectors(breakdowns: readonly Breakdown[], names: readonly string[]): ValueVectors {
  const integerRows = breakdowns.map((breakdown) =>
    toIntegers([...names.map((name) => assertDefined(breakdown.members.get(name))), breakdown.total ?? '0']),
  );
  return {
    vectors: names.map((_, index) => integerRows.map((row) => assertDefined(row[index]))),
    totalVector: integerRows.map((row) => assertDefined(row[names.length])),
  };
}

/** Returns the largest set of members that adds up to the total in every period; null if no set does. */
function findLargestSetWithTotal(
  breakdowns: readonly Breakdown[],
  names: readonly string[],
  { vectors, totalVector }: ValueVectors,
): readonly string[] | null {
  if (breakdowns.some((breakdown) => breakdown.total === null)) return null;
  const largestSubsetIndexes = findLargestSubset(vectors, totalVector);
  return largestSubsetIndexes === null ? null : names.filter((_, index) => largestSubsetIndexes.has(index));
}

/**
 * Returns the members that are neither sums of other members nor named as totals. Ignores the names if all members are
 * named as totals.
 */
function removeSumsAndNamedTotals(names: readonly string[], { vectors }: ValueVectors): readonly string[] {
  let keptIndexes = names.flatMap((name, index) => (TOTAL_NAME_PATTERN.test(shortenName(name)) ? [] : [index]));
  if (keptIndexes.length === 0) keptIndexes = names.map((_, index) => index);
  if (names.length > MAX_SUBTOTAL_MEMBERS) return names.filter((_, index) => keptIndexes.includes(index));
  // Largest first, so that a sum of subtotals is removed before the subtotals themselves.
  const sortedIndexes = [...keptIndexes].sort((a, b) =>
    sumMagnitudes(assertDefined(vectors[a])) < sumMagnitudes(assertDefined(vectors[b])) ? 1 : -1,
  );
  for (const index of sortedIndexes) {
    const otherIndexes = keptIndexes.filter((otherIndex) => otherIndex !== index);
    const targetVector = assertDefined(vectors[index]);
    const partIndexes = findLargestSubset(
      otherIndexes.map((otherIndex) => assertDefined(vectors[otherIndex])),
      targetVector,
    );
    if (partIndexes !== null && partIndexes.size > 1) keptIndexes = otherIndexes;
  }
  return names.filter((_, index) => keptIndexes.includes(index));
}

/**
 * Margin in bits: n members have 2^n subsets, so sums of figures with n + 10 bits match by chance with a probability
 * below 1 in 2^10.
 */
const MARGIN_BITS = 10;

/** Returns the sum of a member's absolute figures over all periods. */
const sumMagnitudes = (vector: readonly bigint[]): bigint =>
  vector.reduce((sumOfSizes, value) => sumOfSizes + (value < 0n ? -value : value), 0n);

/**
 * Returns integers proportional to the decimals, divided by their greatest common divisor, so that only significant
 * digits remain.
 */
function toIntegers(values: readonly Decimal[]): bigint[] {
  const decimalPlaces = Math.max(...values.map((value) => getFraction(value).length));
  const integers = values.map((value) => {
    const fraction = getFraction(value);
    const digits = fraction === '' ? value : value.slice(0, -fraction.length - 1) + fraction;
    return BigInt(digits + '0'.repeat(decimalPlaces - fraction.length));
  });
  const commonDivisor = integers.reduce((a, b) => computeGreatestCommonDivisor(a, b < 0n ? -b : b), 0n);
  return commonDivisor === 0n ? integers : integers.map((value) => value / commonDivisor);
}

function getFraction(value: Decimal): string {
  const dotIndex = value.indexOf('.');
  return dotIndex < 0 ? '' : value.slice(dotIndex + 1);
}

function computeGreatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : computeGreatestCommonDivisor(b, a % b);
}

/**
 * Returns the largest set of vectors that add up to the target in every coordinate; null if no set does, or only by
 * chance.
 * Combines the subsets of two halves, so that work and memory double only with every second vector.
 */
function findLargestSubset(
  vectors: readonly (readonly bigint[])[],
  target: readonly bigint[],
): ReadonlySet<number> | null {
  if (!isChanceSumImprobable(target, vectors.length)) return null;
  const halfLength = vectors.length >> 1;
  const leftSubsets = enumerateSubsets(vectors.slice(0, halfLength), target.length);
  const rightSubsets = enumerateSubsets(vectors.slice(halfLength), target.length);
  let bestMatch: { readonly mask: number; readonly otherMask: number; readonly size: number } | null = null;
  for (const [key, { mask, size }] of rightSubsets) {
    const remainder = key.split(' ').map((value, index) => assertDefined(target[index]) - BigInt(value));
    const leftMatch = leftSubsets.get(remainder.join(' '));
    if (leftMatch !== undefined && (bestMatch === null || size + leftMatch.size > bestMatch.size)) {
      bestMatch = { mask: leftMatch.mask, otherMask: mask, size: size + leftMatch.size };
    }
  }
  if (bestMatch === null || bestMatch.size === 0) return null;
  const finalMatch = bestMatch;
  return new Set(
    vectors.flatMap((_, index) =>
      (index < halfLength ? (finalMatch.mask >> index) & 1 : (finalMatch.otherMask >> (index - halfLength)) & 1) === 1
        ? [index]
        : [],
    ),
  );
}

/**
 * Whether the target's figures have so many bits that members hardly add up to the target by chance. More members
 * require more bits.
 */
function isChanceSumImprobable(target: readonly bigint[], memberCount: number): boolean {
  const targetBits = target.reduce(
    (bitCount, value) => bitCount + (value < 0n ? -value : value).toString(2).length - 1,
    0,
  );
  return targetBits >= memberCount + MARGIN_BITS;
}

/** Returns, for each possible sum, the largest set of vectors with that sum. */
function enumerateSubsets(
  vectors: readonly (readonly bigint[])[],
  coordinateCount: number,
): Map<string, { mask: number; size: number }> {
  const subsetBySum = new Map<string, { mask: number; size: number }>();
  const visitFrom = (index: number, partialSum: readonly bigint[], mask: number, size: number): void => {
    const vector = vectors[index];
    if (vector === undefined) {
      const key = partialSum.join(' ');
      const existingSubset = subsetBySum.get(key);
      if (existingSubset === undefined || existingSubset.size < size) subsetBySum.set(key, { mask, size });
      return;
    }
    visitFrom(index + 1, partialSum, mask, size);
    visitFrom(
      index + 1,
      partialSum.map((value, position) => value + assertDefined(vector[position])),
      mask | (1 << index),
      size + 1,
    );
  };
  visitFrom(0, new Array<bigint>(coordinateCount).fill(0n), 0, 0);
  return subsetBySum;
}
