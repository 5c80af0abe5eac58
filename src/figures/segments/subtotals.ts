/**
 * Finds members that are sums of other members.
 * Filers put subtotals on the same axis as their parts (Product next to each product, a region next to its countries).
 * No tag marks subtotals, so they are found by their figures: the same members must add up in every period of the
 * report that has these members, with enough digits to exclude chance.
 */
import { isNearlyEqual, sum } from '../../contract/decimal.ts';
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import { assertDefined, groupBy } from '../../platform/collections.ts';
import { shortenName } from './axes.ts';
import { arrangeRows, type BreakdownRow } from './breakdown-rows.ts';
import type { Breakdown } from './breakdowns.ts';
import { findLargestSubset, findNearSubset, sumMagnitudes, toVectors } from './subset-sums.ts';

/** A breakdown with its tree of rows. `members` has only the members that count toward the total, without subtotals. */
export interface LeafBreakdown extends Breakdown {
  /** Whether the members and the reconciling items that count add up to the total. */
  readonly isComplete: boolean;
  /** Every member that the filing states, its parts, and the reconciling items. */
  readonly rows: readonly BreakdownRow[];
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
 * Returns the breakdowns without subtotals, which are rows above their parts. A subtotal is a sum of other members in
 * every period with the same members.
 * @param breakdowns breakdowns of one report, axis, concept and unit
 */
export function removeSubtotals(breakdowns: readonly Breakdown[]): readonly LeafBreakdown[] {
  // Groups periods with equal members, because members may differ between the periods of a report: a company stops
  // reporting a country, for example.
  const byMembers = groupBy(breakdowns, ({ members }) => [...members.keys()].sort().join(' '));
  const groups = [...byMembers.values()].map((group) => ({ group, proven: findProvenLeaves(group) }));
  return groups.flatMap(({ group, proven }) => {
    // If the members that add up to the total in other periods do so here, further members of these periods overlap.
    const provenSets = groups.map((other) => other.proven ?? []).filter((leaves) => leaves.length > 1);
    const match = provenSets.find((leaves) => group.every((breakdown) => sumsToTotal(breakdown, leaves, '0')));
    return arrangeLeaves(group, proven ?? match ?? chooseLeafNames(group));
  });
}

function arrangeLeaves(breakdowns: readonly Breakdown[], leaves: readonly string[]): readonly LeafBreakdown[] {
  return arrangeRows(breakdowns, leaves).map(({ rows, counted }, index) => {
    const breakdown = assertDefined(breakdowns[index]);
    return {
      ...breakdown,
      members: new Map([...breakdown.members].filter(([name]) => leaves.includes(name))),
      isComplete: breakdown.total !== null && isNearlyEqual(counted, breakdown.total, TOTAL_TOLERANCE),
      rows,
    };
  });
}

const listMembers = (breakdowns: readonly Breakdown[]): string[] => [...assertDefined(breakdowns[0]).members.keys()];

/**
 * Returns the members that add up to the total in every period: all, otherwise the largest set, if necessary with
 * reconciling items. Null if no set does.
 */
function findProvenLeaves(breakdowns: readonly Breakdown[]): readonly string[] | null {
  const names = listMembers(breakdowns);
  if (breakdowns.every((breakdown) => sumsToTotal(breakdown, names, '0'))) return names;
  if (names.length < 3 || breakdowns.some(({ total }) => total === null)) return null;
  const items = breakdowns.flatMap(({ axis, reconcilingItems }) =>
    [...reconcilingItems].flatMap(([name, { value, isOfAxis }]) =>
      !isZero(value) && (axis === 'segment' || isOfAxis) ? [name] : [],
    ),
  );
  const leaves = findSetWithTotal(breakdowns, names, []);
  if (leaves !== null || items.length === 0) return leaves;
  const withItems = findSetWithTotal(breakdowns, names, [...new Set(items)]);
  return withItems === null || withItems.length < 2 ? null : withItems;
}

/** Returns the members of the largest set of members and items that adds up to the total in every period, or null. */
function findSetWithTotal(breakdowns: readonly Breakdown[], names: readonly string[], items: readonly string[]) {
  if (names.length + items.length > MAX_TOTAL_SET_MEMBERS) return null;
  const { vectors, totalVector } = buildVectors(breakdowns, [...names, ...items]);
  const largest = findLargestSubset(vectors, totalVector);
  return largest === null ? null : names.filter((_, index) => largest.has(index));
}

function chooseLeafNames(breakdowns: readonly Breakdown[]): readonly string[] {
  const names = listMembers(breakdowns);
  if (names.length < 3 || names.length > MAX_TOTAL_SET_MEMBERS) return names;
  // If the members add up to the total within rounding, no member is a subtotal.
  if (breakdowns.some((breakdown) => sumsToTotal(breakdown, names, TOTAL_TOLERANCE))) return names;
  const values = buildVectors(breakdowns, names);
  const subset = findNearSubset(values.vectors, values.totalVector, values.unitVector);
  return subset === null ? removeSumsAndNamedTotals(names, values) : names.filter((_, index) => subset.has(index));
}

/** Whether the breakdown has these members, and they add up to its total. */
const sumsToTotal = ({ members, total }: Breakdown, names: readonly string[], tolerance: Decimal): boolean =>
  total !== null &&
  names.every((name) => members.has(name)) &&
  isNearlyEqual(sum(names.map((name) => assertDefined(members.get(name)))), total, tolerance);

type ValueVectors = ReturnType<typeof buildVectors>;

function buildVectors(breakdowns: readonly Breakdown[], names: readonly string[]) {
  const columns = toVectors(
    breakdowns.map(({ members, reconcilingItems, total, units }) => [
      ...names.map((name) => members.get(name) ?? reconcilingItems.get(name)?.value ?? '0'),
      total ?? '0',
      units.get(null) ?? '0',
    ]),
  );
  const [totalVector, unitVector] = columns.slice(names.length);
  return {
    vectors: columns.slice(0, names.length),
    totalVector: assertDefined(totalVector),
    unitVector: assertDefined(unitVector),
  };
}

/**
 * Returns the members that are neither sums of other members nor named as totals. Ignores the names if all members are
 * named as totals.
 */
function removeSumsAndNamedTotals(names: readonly string[], { vectors }: ValueVectors): readonly string[] {
  let indexes = names.flatMap((name, index) => (TOTAL_NAME_PATTERN.test(shortenName(name)) ? [] : [index]));
  if (indexes.length === 0) indexes = names.map((_, index) => index);
  if (names.length > MAX_SUBTOTAL_MEMBERS) return names.filter((_, index) => indexes.includes(index));
  // Largest first, so that a sum of subtotals is removed before the subtotals themselves.
  const sorted = [...indexes].sort((a, b) =>
    sumMagnitudes(assertDefined(vectors[a])) < sumMagnitudes(assertDefined(vectors[b])) ? 1 : -1,
  );
  for (const index of sorted) {
    const others = indexes.filter((other) => other !== index);
    const otherVectors = others.map((other) => assertDefined(vectors[other]));
    const parts = findLargestSubset(otherVectors, assertDefined(vectors[index]));
    if (parts === null || parts.size < 2) continue;
    // Members that divide the same sum in another way would count it twice.
    const rest = others.filter((_, position) => !parts.has(position));
    const restVectors = rest.map((other) => assertDefined(vectors[other]));
    const secondSubset = findLargestSubset(restVectors, assertDefined(vectors[index]));
    const isDividedTwice = secondSubset !== null && secondSubset.size > 1;
    indexes = isDividedTwice
      ? others.filter((other) => !rest.some((one, position) => one === other && secondSubset.has(position)))
      : others;
  }
  return names.filter((_, index) => indexes.includes(index));
}
