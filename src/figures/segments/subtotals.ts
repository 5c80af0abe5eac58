/**
 * Finds members that are sums of other members.
 * Filers put subtotals on the same axis as their parts (Product next to each product, a region next to its countries).
 * No tag marks subtotals, so they are found by their figures: the same members must add up in every period of the
 * report that has these members, with enough digits to exclude chance.
 */
import { isNearlyEqual, sum } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { groupBy } from '../../platform/collections.ts';
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
  const byMembers = groupBy(breakdowns, ({ members }) => [...members.keys()].sort().join(' '));
  return [...byMembers.values()].flatMap(removeGroupSubtotals);
}

function removeGroupSubtotals(breakdowns: readonly Breakdown[]): readonly LeafBreakdown[] {
  const names = [...assertDefined(breakdowns[0]).members.keys()];
  const leaves = breakdowns.every((breakdown) => sumsToTotal(breakdown, names, '0'))
    ? names
    : chooseLeafNames(breakdowns, names);
  return breakdowns.map((breakdown) => ({
    ...breakdown,
    members: new Map([...breakdown.members].filter(([name]) => leaves.includes(name))),
    isComplete: sumsToTotal(breakdown, leaves, TOTAL_TOLERANCE),
  }));
}

function chooseLeafNames(breakdowns: readonly Breakdown[], names: readonly string[]): readonly string[] {
  if (names.length < 3 || names.length > MAX_TOTAL_SET_MEMBERS) return names;
  const values = buildVectors(breakdowns, names);
  const largest = findLargestSetWithTotal(breakdowns, names, values);
  if (largest !== null) return largest;
  // If the members add up to the total within rounding, no member is a subtotal.
  return breakdowns.some((breakdown) => sumsToTotal(breakdown, names, TOTAL_TOLERANCE))
    ? names
    : removeSumsAndNamedTotals(names, values);
}

const sumsToTotal = (breakdown: Breakdown, names: readonly string[], tolerance: Decimal): boolean =>
  breakdown.total !== null &&
  isNearlyEqual(sum(names.map((name) => assertDefined(breakdown.members.get(name)))), breakdown.total, tolerance);

/** The figures of a member or the total, period by period. */
type Vector = readonly bigint[];

interface ValueVectors {
  /** One vector per member, containing the member's figures period by period. */
  readonly vectors: readonly Vector[];
  readonly totalVector: Vector;
}

function buildVectors(breakdowns: readonly Breakdown[], names: readonly string[]): ValueVectors {
  const rows = breakdowns.map((breakdown) =>
    toIntegers([...names.map((name) => assertDefined(breakdown.members.get(name))), breakdown.total ?? '0']),
  );
  const readColumn = (index: number) => rows.map((row) => assertDefined(row[index]));
  return { vectors: names.map((_, index) => readColumn(index)), totalVector: readColumn(names.length) };
}

/** Returns the largest set of members that adds up to the total in every period; null if no set does. */
function findLargestSetWithTotal(
  breakdowns: readonly Breakdown[],
  names: readonly string[],
  { vectors, totalVector }: ValueVectors,
): readonly string[] | null {
  if (breakdowns.some((breakdown) => breakdown.total === null)) return null;
  const largest = findLargestSubset(vectors, totalVector);
  return largest === null ? null : names.filter((_, index) => largest.has(index));
}

/**
 * Returns the members that are neither sums of other members nor named as totals. Ignores the names if all members are
 * named as totals.
 */
function removeSumsAndNamedTotals(names: readonly string[], { vectors }: ValueVectors): readonly string[] {
  let kept = names.flatMap((name, index) => (TOTAL_NAME_PATTERN.test(shortenName(name)) ? [] : [index]));
  if (kept.length === 0) kept = names.map((_, index) => index);
  if (names.length > MAX_SUBTOTAL_MEMBERS) return names.filter((_, index) => kept.includes(index));
  // Largest first, so that a sum of subtotals is removed before the subtotals themselves.
  const sorted = [...kept].sort((a, b) =>
    sumMagnitudes(assertDefined(vectors[a])) < sumMagnitudes(assertDefined(vectors[b])) ? 1 : -1,
  );
  for (const index of sorted) {
    const others = kept.filter((other) => other !== index);
    const otherVectors = others.map((other) => assertDefined(vectors[other]));
    const parts = findLargestSubset(otherVectors, assertDefined(vectors[index]));
    if (parts !== null && parts.size > 1) kept = others;
  }
  return names.filter((_, index) => kept.includes(index));
}

/**
 * Margin in bits: n members have 2^n subsets, so sums of figures with n + 10 bits match by chance with a probability
 * below 1 in 2^10.
 */
const MARGIN_BITS = 10;

/** Returns the sum of a member's absolute figures over all periods. */
const sumMagnitudes = (vector: Vector): bigint =>
  vector.reduce((total, value) => total + (value < 0n ? -value : value), 0n);

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
  const divisor = integers.reduce((a, b) => computeGreatestCommonDivisor(a, b < 0n ? -b : b), 0n);
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
function findLargestSubset(vectors: readonly Vector[], target: Vector): ReadonlySet<number> | null {
  if (!isChanceSumImprobable(target, vectors.length)) return null;
  const half = vectors.length >> 1;
  const lefts = enumerateSubsets(vectors.slice(0, half), target.length);
  const rights = enumerateSubsets(vectors.slice(half), target.length);
  let best: { readonly mask: number; readonly otherMask: number; readonly size: number } | null = null;
  for (const [key, { mask, size }] of rights) {
    const remainder = key.split(' ').map((value, index) => assertDefined(target[index]) - BigInt(value));
    const left = lefts.get(remainder.join(' '));
    if (left !== undefined && (best === null || size + left.size > best.size)) {
      best = { mask: left.mask, otherMask: mask, size: size + left.size };
    }
  }
  if (best === null || best.size === 0) return null;
  const match = best;
  return new Set(
    vectors.flatMap((_, index) =>
      (index < half ? (match.mask >> index) & 1 : (match.otherMask >> (index - half)) & 1) === 1 ? [index] : [],
    ),
  );
}

/**
 * Whether the target's figures have so many bits that members hardly add up to the target by chance. More members
 * require more bits.
 */
function isChanceSumImprobable(target: Vector, count: number): boolean {
  const targetBits = target.reduce((bits, value) => bits + (value < 0n ? -value : value).toString(2).length - 1, 0);
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
    const extended = partial.map((value, position) => value + assertDefined(vector[position]));
    visit(index + 1, extended, mask | (1 << index), size + 1);
  };
  visit(0, new Array<bigint>(length).fill(0n), 0, 0);
  return bySum;
}
