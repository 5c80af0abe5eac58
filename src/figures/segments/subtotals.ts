/**
 * Members that are sums of other members.
 *
 * Filers put subtotals on the same axis as their parts (Product beside each product; a region beside its
 * countries), and adding them up would count the parts twice. Nothing tags a subtotal as one, so it is
 * recognised by its figures: the same members must add up in every period that the report states. Among
 * many members some sums agree by chance; one is believed only where the figures have enough digits, over
 * enough periods, that chance is out of the question.
 */
import { nearlyEqual } from '../arithmetic.ts';
import { cutName } from './axes.ts';
import { sum } from './sums.ts';
import type { CleanCut, Cut } from './types.ts';

/** Members beyond which the whole is not searched for its finest set: the work doubles with every second one. */
const MOST_MEMBERS = 28;
/** Members beyond which not each of them is searched for its parts. */
const MOST_SUBTOTALS = 18;
/** How far a set may be from the total and still account for it: rounding, and what is too small to name. */
const TOLERANCE = '0.005';
/** A subtotal need not be the sum of its parts, where they sell to each other; some say in their name what they are. */
const NAMED_TOTAL = /^(?:Sub)?[Tt]otal(?=[A-Z])|Total$/;
/** Chance must be below one in 2^10. */
const MARGIN_BITS = 10;

/** Cuts of one report, along one axis, of one concept and unit: their periods bear witness to each other. */
export function withoutSubtotals(cuts: readonly Cut[]): readonly CleanCut[] {
  // Periods of a report can differ in their members (a country is dropped); alike ones are judged together.
  const groups = new Map<string, Cut[]>();
  for (const cut of cuts) {
    const key = [...cut.members.keys()].sort().join(' ');
    groups.set(key, [...(groups.get(key) ?? []), cut]);
  }
  return [...groups.values()].flatMap(cleanGroup);
}

function cleanGroup(cuts: readonly Cut[]): readonly CleanCut[] {
  const names = [...(cuts[0]?.members.keys() ?? [])];
  if (cuts.some((cut) => accountsFor(cut, names)))
    return cuts.map((cut) => ({ ...cut, complete: accountsFor(cut, names) }));
  const kept = names.length > MOST_MEMBERS || names.length < 3 ? names : leaves(cuts, names);
  return cuts.map((cut) => ({
    ...cut,
    members: new Map([...cut.members].filter(([name]) => kept.includes(name))),
    complete: accountsFor(cut, kept),
  }));
}

function accountsFor(cut: Cut, names: readonly string[]): boolean {
  return (
    cut.total !== null && nearlyEqual(sum(names.map((name) => cut.members.get(name) ?? '0')), cut.total, TOLERANCE)
  );
}

/** The finest set of members that makes up the total; where there is none, the members that are no sum of others. */
function leaves(cuts: readonly Cut[], names: readonly string[]): readonly string[] {
  const scaled = cuts.map((cut) =>
    toIntegers([...names.map((name) => cut.members.get(name) ?? '0'), cut.total ?? '0']),
  );
  const vectors = names.map((_, index) => scaled.map((row) => row[index] ?? 0n));
  const total = scaled.map((row) => row[names.length] ?? 0n);
  if (cuts.every((cut) => cut.total !== null)) {
    const cover = largestSubset(vectors, total);
    if (cover !== null) return names.filter((_, index) => cover.has(index));
  }
  let kept = names.flatMap((name, index) => (NAMED_TOTAL.test(cutName(name)) ? [] : [index]));
  if (kept.length === 0) kept = names.map((_, index) => index);
  if (names.length > MOST_SUBTOTALS) return names.filter((_, index) => kept.includes(index));
  // Largest first: a sum of sums goes before the sums it is made of.
  const order = [...kept].sort((a, b) => (magnitude(vectors[a]) < magnitude(vectors[b]) ? 1 : -1));
  for (const index of order) {
    const others = kept.filter((other) => other !== index);
    const target = vectors[index] ?? [];
    const parts = largestSubset(
      others.map((other) => vectors[other] ?? []),
      target,
    );
    if (parts !== null && parts.size > 1) kept = others;
  }
  return names.filter((_, index) => kept.includes(index));
}

const magnitude = (vector: readonly bigint[] = []): bigint =>
  vector.reduce((all, value) => all + (value < 0n ? -value : value), 0n);

/** Integers in the proportion of the decimals, without the zeros they all end in: what is left are digits that tell. */
function toIntegers(values: readonly string[]): bigint[] {
  const places = Math.max(...values.map((value) => value.split('.')[1]?.length ?? 0));
  const integers = values.map((value) => {
    const [whole = '0', fraction = ''] = value.split('.');
    return BigInt(whole + fraction.padEnd(places, '0'));
  });
  const unit = integers.reduce((a, b) => divisor(a, b < 0n ? -b : b), 0n);
  return unit === 0n ? integers : integers.map((value) => value / unit);
}

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}

/** The largest set of vectors that add up to the target in every coordinate, by halves; null where none does beyond chance. */
function largestSubset(vectors: readonly (readonly bigint[])[], target: readonly bigint[]): ReadonlySet<number> | null {
  if (!isTelling(target, vectors.length)) return null;
  const half = vectors.length >> 1;
  const left = subsets(vectors.slice(0, half), target.length);
  const right = subsets(vectors.slice(half), target.length);
  let best: { readonly mask: number; readonly other: number; readonly size: number } | null = null;
  for (const [key, { mask, size }] of right) {
    const wanted = key.split(' ').map((value, at) => (target[at] ?? 0n) - BigInt(value));
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

/** Whether the target has more digits, over its periods, than there are sets to hit it by chance. */
function isTelling(target: readonly bigint[], members: number): boolean {
  const bits = target.reduce((all, value) => all + (value < 0n ? -value : value).toString(2).length - 1, 0);
  return bits >= members + MARGIN_BITS;
}

/** For each sum that can be made, the largest set that makes it. */
function subsets(vectors: readonly (readonly bigint[])[], width: number): Map<string, { mask: number; size: number }> {
  const found = new Map<string, { mask: number; size: number }>();
  const visit = (index: number, total: readonly bigint[], mask: number, size: number): void => {
    const vector = vectors[index];
    if (vector === undefined) {
      const key = total.join(' ');
      if ((found.get(key)?.size ?? -1) < size) found.set(key, { mask, size });
      return;
    }
    visit(index + 1, total, mask, size);
    visit(
      index + 1,
      total.map((value, at) => value + (vector[at] ?? 0n)),
      mask | (1 << index),
      size + 1,
    );
  };
  visit(0, new Array<bigint>(width).fill(0n), 0, 0);
  return found;
}
