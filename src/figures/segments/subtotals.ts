/**
 * Members that are sums of other members.
 *
 * Filers put subtotals on the same axis as their parts (Product beside each product; a region beside its
 * countries), and adding them up would count the parts twice. Nothing tags a subtotal as one, so it is
 * recognised by its figures: the same members must add up in every period that the report states. Among
 * many members some sums agree by chance; one is believed only where the figures have enough digits, over
 * enough periods, that chance is out of the question.
 */

import { nearlyEqual, sum } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { shortName } from './axes.ts';
import type { Breakdown } from './breakdowns.ts';
import { largestSubset, magnitude, toIntegers } from './subset-sums.ts';

/** A cut whose subtotals are gone. */
export interface LeafBreakdown extends Breakdown {
  /** The members account for the total. */
  readonly complete: boolean;
}

/** Members beyond which the whole is not searched for its finest set: the work doubles with every second one. */
const MOST_MEMBERS = 28;
/** Members beyond which not each of them is searched for its parts. */
const MOST_SUBTOTALS = 18;
/** How far a set may be from the total and still account for it: rounding, and what is too small to name. */
const TOLERANCE = '0.005';
/** A subtotal need not be the sum of its parts, where they sell to each other; some say in their name what they are. */
const NAMED_TOTAL = /^(?:Sub)?[Tt]otal(?=[A-Z])|Total$/;

/** Cuts of one report, along one axis, of one concept and unit: their periods bear witness to each other. */
export function withoutSubtotals(cuts: readonly Breakdown[]): readonly LeafBreakdown[] {
  // Periods of a report can differ in their members (a country is dropped); alike ones are judged together.
  const groups = new Map<string, Breakdown[]>();
  for (const cut of cuts) {
    const key = [...cut.members.keys()].sort().join(' ');
    groups.set(key, [...(groups.get(key) ?? []), cut]);
  }
  return [...groups.values()].flatMap(cleanGroup);
}

function cleanGroup(cuts: readonly Breakdown[]): readonly LeafBreakdown[] {
  const names = [...(cuts[0]?.members.keys() ?? [])];
  const kept = cuts.every((cut) => accountsFor(cut, names, '0')) ? names : withoutSums(cuts, names);
  return cuts.map((cut) => ({
    ...cut,
    members: new Map([...cut.members].filter(([name]) => kept.includes(name))),
    complete: accountsFor(cut, kept, TOLERANCE),
  }));
}

function withoutSums(cuts: readonly Breakdown[], names: readonly string[]): readonly string[] {
  if (names.length < 3 || names.length > MOST_MEMBERS) return names;
  const figures = vectorsOf(cuts, names);
  const finest = finestSet(cuts, names, figures);
  if (finest !== null) return finest;
  // Rounded figures add up to nearly the whole, and then nothing in them is counted twice.
  return cuts.some((cut) => accountsFor(cut, names, TOLERANCE)) ? names : leaves(names, figures);
}

function accountsFor(cut: Breakdown, names: readonly string[], tolerance: Decimal): boolean {
  return (
    cut.total !== null && nearlyEqual(sum(names.map((name) => cut.members.get(name) ?? '0')), cut.total, tolerance)
  );
}

interface Figures {
  /** One for each member: its figures, period by period. */
  readonly vectors: readonly (readonly bigint[])[];
  readonly total: readonly bigint[];
}

function vectorsOf(cuts: readonly Breakdown[], names: readonly string[]): Figures {
  const scaled = cuts.map((cut) =>
    toIntegers([...names.map((name) => cut.members.get(name) ?? '0'), cut.total ?? '0']),
  );
  return {
    vectors: names.map((_, index) => scaled.map((row) => row[index] ?? 0n)),
    total: scaled.map((row) => row[names.length] ?? 0n),
  };
}

/** The finest set of members that makes up the whole in every period; null where there is none. */
function finestSet(
  cuts: readonly Breakdown[],
  names: readonly string[],
  { vectors, total }: Figures,
): readonly string[] | null {
  if (cuts.some((cut) => cut.total === null)) return null;
  const cover = largestSubset(vectors, total);
  return cover === null ? null : names.filter((_, index) => cover.has(index));
}

/** The members that are no sum of others, and do not call themselves one. */
function leaves(names: readonly string[], { vectors }: Figures): readonly string[] {
  let kept = names.flatMap((name, index) => (NAMED_TOTAL.test(shortName(name)) ? [] : [index]));
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
