/**
 * Finds members that are sums of other members.
 * Filers put subtotals on the same axis as their parts (Product next to each product, a region next to its
 * countries). No tag marks them, so their figures do: the same members must add up in every period of the report,
 * with enough digits to exclude chance.
 */
import { nearlyEqual, sum } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { pushTo } from '../../platform/collections.ts';
import { shortName } from './axes.ts';
import type { Breakdown } from './breakdowns.ts';

/** A breakdown without subtotals. */
export interface LeafBreakdown extends Breakdown {
  /** Whether the members add up to the total. */
  readonly complete: boolean;
}

/** Maximum number of members for the search of the finest set: the work doubles with every second member. */
const MAX_MEMBERS = 28;
/** Maximum number of members for the search of subtotals. */
const MAX_SUBTOTALS = 18;
/** Maximum difference between a set and the total, as a share: rounding, and members too small to name. */
const TOLERANCE = '0.005';
/** Names of totals. Their parts may sell to each other, so that they do not add up. */
const NAMED_TOTAL_PATTERN = /^(?:Sub)?[Tt]otal(?=[A-Z])|Total$/;

/** For breakdowns of one report, axis, concept and unit, whose periods confirm each other. */
export function withoutSubtotals(breakdowns: readonly Breakdown[]): readonly LeafBreakdown[] {
  // Periods of a report may have different members (a country is dropped); those with equal members are judged
  // together.
  const groups = new Map<string, Breakdown[]>();
  for (const breakdown of breakdowns) {
    const key = [...breakdown.members.keys()].sort().join(' ');
    pushTo(groups, key, breakdown);
  }
  return [...groups.values()].flatMap(cleanGroup);
}

function cleanGroup(breakdowns: readonly Breakdown[]): readonly LeafBreakdown[] {
  const names = [...assertDefined(breakdowns[0]).members.keys()];
  const kept = breakdowns.every((breakdown) => accountsFor(breakdown, names, '0'))
    ? names
    : withoutSums(breakdowns, names);
  return breakdowns.map((breakdown) => ({
    ...breakdown,
    members: new Map([...breakdown.members].filter(([name]) => kept.includes(name))),
    complete: accountsFor(breakdown, kept, TOLERANCE),
  }));
}

function withoutSums(breakdowns: readonly Breakdown[], names: readonly string[]): readonly string[] {
  if (names.length < 3 || names.length > MAX_MEMBERS) return names;
  const figures = vectorsOf(breakdowns, names);
  const finest = finestSet(breakdowns, names, figures);
  if (finest !== null) return finest;
  // If rounded figures nearly add up to the whole, none of them is counted twice.
  return breakdowns.some((breakdown) => accountsFor(breakdown, names, TOLERANCE)) ? names : leaves(names, figures);
}

function accountsFor(breakdown: Breakdown, names: readonly string[], tolerance: Decimal): boolean {
  return (
    breakdown.total !== null &&
    nearlyEqual(sum(names.map((name) => assertDefined(breakdown.members.get(name)))), breakdown.total, tolerance)
  );
}

interface Figures {
  /** One vector per member: its figures, period by period. */
  readonly vectors: readonly (readonly bigint[])[];
  readonly total: readonly bigint[];
}

function vectorsOf(breakdowns: readonly Breakdown[], names: readonly string[]): Figures {
  const scaled = breakdowns.map((breakdown) =>
    toIntegers([...names.map((name) => assertDefined(breakdown.members.get(name))), breakdown.total ?? '0']),
  );
  return {
    vectors: names.map((_, index) => scaled.map((row) => assertDefined(row[index]))),
    total: scaled.map((row) => assertDefined(row[names.length])),
  };
}

/** The largest set of members that adds up to the whole in every period; null if there is none. */
function finestSet(
  breakdowns: readonly Breakdown[],
  names: readonly string[],
  { vectors, total }: Figures,
): readonly string[] | null {
  if (breakdowns.some((breakdown) => breakdown.total === null)) return null;
  const cover = largestSubset(vectors, total);
  return cover === null ? null : names.filter((_, index) => cover.has(index));
}

/** The members that are not sums of others and not named as totals. */
function leaves(names: readonly string[], { vectors }: Figures): readonly string[] {
  let kept = names.flatMap((name, index) => (NAMED_TOTAL_PATTERN.test(shortName(name)) ? [] : [index]));
  if (kept.length === 0) kept = names.map((_, index) => index);
  if (names.length > MAX_SUBTOTALS) return names.filter((_, index) => kept.includes(index));
  // Largest first: a sum of sums is removed before the sums it consists of.
  const order = [...kept].sort((a, b) =>
    magnitude(assertDefined(vectors[a])) < magnitude(assertDefined(vectors[b])) ? 1 : -1,
  );
  for (const index of order) {
    const others = kept.filter((other) => other !== index);
    const target = assertDefined(vectors[index]);
    const parts = largestSubset(
      others.map((other) => assertDefined(vectors[other])),
      target,
    );
    if (parts !== null && parts.size > 1) kept = others;
  }
  return names.filter((_, index) => kept.includes(index));
}

/** The probability of a false sum must be below one in 2^10. */
const MARGIN_BITS = 10;

/** The size of a figure over all its periods. */
const magnitude = (vector: readonly bigint[]): bigint =>
  vector.reduce((all, value) => all + (value < 0n ? -value : value), 0n);

/**
 * Integers in proportion to the decimals, divided by their greatest common divisor, so that only significant digits
 * remain.
 */
function toIntegers(values: readonly Decimal[]): bigint[] {
  const places = Math.max(...values.map((value) => fractionOf(value).length));
  const integers = values.map((value) => {
    const fraction = fractionOf(value);
    const digits = fraction === '' ? value : value.slice(0, -fraction.length - 1) + fraction;
    return BigInt(digits + '0'.repeat(places - fraction.length));
  });
  const unit = integers.reduce((a, b) => divisor(a, b < 0n ? -b : b), 0n);
  return unit === 0n ? integers : integers.map((value) => value / unit);
}

function fractionOf(value: Decimal): string {
  const dot = value.indexOf('.');
  return dot < 0 ? '' : value.slice(dot + 1);
}

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}

/**
 * Returns the largest set of vectors that add up to the target in every coordinate; null if there is none beyond
 * chance.
 * Combines two halves, so that work and memory double with every second vector, not with each.
 */
function largestSubset(vectors: readonly (readonly bigint[])[], target: readonly bigint[]): ReadonlySet<number> | null {
  if (!isSignificant(target, vectors.length)) return null;
  const half = vectors.length >> 1;
  const left = subsets(vectors.slice(0, half), target.length);
  const right = subsets(vectors.slice(half), target.length);
  let best: { readonly mask: number; readonly other: number; readonly size: number } | null = null;
  for (const [key, { mask, size }] of right) {
    const wanted = key.split(' ').map((value, index) => assertDefined(target[index]) - BigInt(value));
    const match = left.get(wanted.join(' '));
    if (match !== undefined && (best === null || size + match.size > best.size)) {
      best = { mask: match.mask, other: mask, size: size + match.size };
    }
  }
  if (best === null || best.size === 0) return null;
  const found = best;
  return new Set(
    vectors.flatMap((_, index) =>
      (index < half ? (found.mask >> index) & 1 : (found.other >> (index - half)) & 1) === 1 ? [index] : [],
    ),
  );
}

/** Whether the target, over its periods, has more bits than there are members to sum. */
function isSignificant(target: readonly bigint[], members: number): boolean {
  const bits = target.reduce((all, value) => all + (value < 0n ? -value : value).toString(2).length - 1, 0);
  return bits >= members + MARGIN_BITS;
}

/** For each possible sum, the largest set with that sum. */
function subsets(vectors: readonly (readonly bigint[])[], width: number): Map<string, { mask: number; size: number }> {
  const found = new Map<string, { mask: number; size: number }>();
  const visit = (index: number, total: readonly bigint[], mask: number, size: number): void => {
    const vector = vectors[index];
    if (vector === undefined) {
      const key = total.join(' ');
      const known = found.get(key);
      if (known === undefined || known.size < size) found.set(key, { mask, size });
      return;
    }
    visit(index + 1, total, mask, size);
    visit(
      index + 1,
      total.map((value, at) => value + assertDefined(vector[at])),
      mask | (1 << index),
      size + 1,
    );
  };
  visit(0, new Array<bigint>(width).fill(0n), 0, 0);
  return found;
}
