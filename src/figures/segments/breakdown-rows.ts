/**
 * Arranges what a filing states about one breakdown as a tree of rows. Rows of one level add up to the row above them,
 * or to the total: each amount counts once.
 */
import { multiply, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { groupBy } from '../../platform/collections.ts';
import type { Breakdown } from './breakdowns.ts';
import { findLargestSubset, findNearSubset, sumMagnitudes, toVectors, type Vector } from './subset-sums.ts';

/**
 * `member` counts toward the row above it, as does `reconciling`: eliminations, intersegment sales and amounts of no
 * member. `not_added` overlaps with other rows, or it is not known whether it does.
 */
export type RowRole = 'member' | 'reconciling' | 'not_added';

export interface BreakdownRow {
  readonly member: string;
  readonly value: Decimal;
  /** The member of which this row is a part; null for rows that count toward the total. */
  readonly parent: string | null;
  readonly role: RowRole;
}

/** Maximum number of rows in the search for the parts of a row. */
const MAX_ROWS_SEARCHED = 28;
/** Maximum number of reconciling items in the search for those that close a gap: the work doubles with every item. */
const MAX_ITEMS_SEARCHED = 12;

/**
 * Returns the rows of each breakdown, and the sum of the rows that count toward the total.
 * @param breakdowns breakdowns of one report, axis, concept and unit with the same members
 * @param leaves the members that count toward the total
 */
export function arrangeRows(breakdowns: readonly Breakdown[], leaves: readonly string[]) {
  const closing = breakdowns.map((breakdown) => chooseReconcilingItems(breakdown, leaves));
  const parents = findParents(breakdowns, leaves, closing);
  return breakdowns.map((breakdown, index) => {
    const items = assertDefined(closing[index]);
    const counted = sum([...leaves.map((name) => assertDefined(breakdown.members.get(name))), ...items.values()]);
    return { rows: listRows(breakdown, leaves, items, parents), counted };
  });
}

function listRows(
  { members, otherMembers, parts, groups, reconcilingItems, axis, total }: Breakdown,
  leaves: readonly string[],
  closing: ReadonlyMap<string, Decimal>,
  parents: ReadonlyMap<string, string>,
): BreakdownRow[] {
  const parentOf = new Map(parents);
  for (const [group, { value, members: names }] of groups) {
    if (!isEqual(sum(names.map((name) => assertDefined(members.get(name)))), value)) continue;
    for (const name of names) parentOf.set(name, group);
  }
  const isParent = new Set(parentOf.values());
  const makeRow = (member: string, value: Decimal, countedRole: RowRole, isCounted: boolean): BreakdownRow =>
    isCounted
      ? { member, value, parent: parentOf.get(member) ?? null, role: countedRole }
      : { member, value, parent: null, role: 'not_added' };
  const isCounted = (name: string) => leaves.includes(name) || isParent.has(name) || parentOf.has(name);
  const named = [...members, ...[...groups].map(([name, { value }]) => [name, value] as const), ...otherMembers]
    // A member of the same amount as the total is the total.
    .filter(([name, value]) => isCounted(name) || total === null || !isEqual(value, total))
    .map(([name, value]) => makeRow(name, value, 'member', isCounted(name)));
  const below = [...parts].map(
    ([member, { value, parent }]): BreakdownRow =>
      isCounted(parent)
        ? { member, value, parent, role: 'member' }
        : { member, value, parent: null, role: 'not_added' },
  );
  for (const [name, parent] of findItemsOfParts(parts, members, reconcilingItems, closing)) parentOf.set(name, parent);
  const items = [...reconcilingItems]
    .filter(
      ([name, { value, isOfAxis }]) =>
        closing.has(name) || isCounted(name) || ((axis === 'segment' || isOfAxis) && !isZero(value)),
    )
    .map(([name, { value }]) => makeRow(name, value, 'reconciling', closing.has(name) || isCounted(name)));
  return [...named, ...below, ...items];
}

/** Returns the reconciling items that are exactly what remains of a member less its parts, each with this member. */
function findItemsOfParts(
  parts: Breakdown['parts'],
  members: ReadonlyMap<string, Decimal>,
  items: Breakdown['reconcilingItems'],
  closing: ReadonlyMap<string, Decimal>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, ofParent] of groupBy([...parts.values()], ({ parent }) => parent)) {
    const rest = subtract(assertDefined(members.get(name)), sum(ofParent.map(({ value }) => value)));
    const same = isZero(rest)
      ? []
      : [...items].filter(([item, { value }]) => !closing.has(item) && isEqual(value, rest));
    const [item] = same;
    if (item !== undefined && same.length === 1) found.set(item[0], name);
  }
  return found;
}

/**
 * Returns the reconciling items that close the gap between the members and the total, except for rounding; the largest
 * set, if several do. Empty if no set closes the gap: then it is unknown whether an item belongs to the gap.
 */
function chooseReconcilingItems(breakdown: Breakdown, leaves: readonly string[]): ReadonlyMap<string, Decimal> {
  const { total, members, axis, units } = breakdown;
  const items = [...breakdown.reconcilingItems].map(([name, { value }]) => [name, value] as const);
  if (total === null || items.length === 0 || items.length > MAX_ITEMS_SEARCHED) return new Map();
  const gap = subtract(total, sum(leaves.map((name) => assertDefined(members.get(name)))));
  const rounding = findMaxRounding(
    [...leaves, ...items.map(([name]) => name), null].map((name) => units.get(name) ?? '0'),
  );
  // Regions and products are seldom tagged with reconciling items, so a gap of rounding is not one.
  if (axis !== 'segment' && compareDecimals(takeAbsoluteValue(gap), rounding) <= 0) return new Map();
  let best: { readonly mask: number; readonly size: number; readonly distance: Decimal } | null = null;
  for (let mask = 1; mask < 1 << items.length; mask += 1) {
    const chosen = items.filter((_, index) => (mask >> index) & 1);
    const distance = takeAbsoluteValue(subtract(gap, sum(chosen.map(([, value]) => value))));
    const order = best === null ? -1 : compareDecimals(distance, best.distance);
    if (best === null || order < 0 || (order === 0 && chosen.length > best.size))
      best = { mask, size: chosen.length, distance };
  }
  if (best === null || compareDecimals(best.distance, rounding) > 0) return new Map();
  const { mask, distance } = best;
  if (compareDecimals(multiply(distance, MIN_GAP_TO_DISTANCE), takeAbsoluteValue(gap)) > 0) return new Map();
  return new Map(items.filter((_, index) => (mask >> index) & 1));
}

/** Minimum ratio of a gap to what remains of it: a gap that rounding nearly explains needs no other explanation. */
const MIN_GAP_TO_DISTANCE = '20';

/** Returns the maximum rounding error of a sum of figures: half of each one's unit. */
const findMaxRounding = (units: readonly Decimal[]): Decimal => multiply(sum(units), '0.5');

/**
 * Returns the parent of each row that is a part of another. Of the members that do not count themselves, and of the
 * reconciling items, those are parents that are sums of other rows in every period. Then each member that counts is
 * the parent of the other members that add up to it.
 */
function findParents(
  breakdowns: readonly Breakdown[],
  leaves: readonly string[],
  closing: readonly ReadonlyMap<string, Decimal>[],
): ReadonlyMap<string, string> {
  const first = assertDefined(breakdowns[0]);
  const counted = [...leaves, ...listNames(closing)];
  const more = breakdowns.flatMap(({ otherMembers, reconcilingItems }) => [otherMembers, reconcilingItems]);
  const others = [...first.members.keys(), ...listNames(more)].filter((name) => !counted.includes(name));
  if (others.length === 0) return new Map();
  const figures = new RowFigures(breakdowns, [...counted, ...others]);
  const parents = new Map<string, string>();
  let pool = counted.filter((name) => !figures.isZero(name));
  // Smallest first, so that a sum of sums has the smaller sums as its parts.
  for (const name of figures.sortByMagnitude(others.filter((other) => !figures.isTotal(other)))) {
    const parts = figures.findParts(name, pool);
    for (const part of parts) parents.set(part, name);
    if (parts.length > 0) pool = [...pool.filter((other) => !parts.includes(other)), name];
  }
  const isItem = (name: string) => breakdowns.some(({ reconcilingItems }) => reconcilingItems.has(name));
  const unplaced = new Set(others.filter((name) => !isItem(name) && !pool.includes(name) && !parents.has(name)));
  for (const name of figures.sortByMagnitude(leaves).reverse()) {
    const parts = figures.findParts(
      name,
      [...unplaced].filter((other) => !figures.isZero(other)),
    );
    for (const part of parts) {
      parents.set(part, name);
      unplaced.delete(part);
    }
  }
  return parents;
}

const listNames = (list: readonly ReadonlyMap<string, unknown>[]): string[] => [
  ...new Set(list.flatMap((map) => [...map.keys()])),
];

/** The figures of rows in all periods, in comparable integers. */
class RowFigures {
  readonly #vectors: ReadonlyMap<string, Vector>;
  readonly #units: ReadonlyMap<string, Vector>;
  readonly #total: Vector;

  constructor(breakdowns: readonly Breakdown[], names: readonly string[]) {
    const columns = toVectors(
      breakdowns.map(({ members, otherMembers, reconcilingItems, units, total }) => [
        ...names.map((name) => members.get(name) ?? otherMembers.get(name) ?? reconcilingItems.get(name)?.value ?? '0'),
        ...names.map((name) => units.get(name) ?? '0'),
        total ?? '0',
      ]),
    );
    const index = (start: number) =>
      new Map(names.map((name, position) => [name, assertDefined(columns[start + position])]));
    this.#vectors = index(0);
    this.#units = index(names.length);
    this.#total = assertDefined(columns.at(-1));
  }

  isZero(name: string): boolean {
    return this.#get(name).every((value) => value === 0n);
  }

  isTotal(name: string): boolean {
    return this.#get(name).every((value, index) => value === this.#total[index]);
  }

  /** Returns the names sorted by the size of their figures, smallest first. */
  sortByMagnitude(names: readonly string[]): string[] {
    return [...names].sort((a, b) => (sumMagnitudes(this.#get(a)) < sumMagnitudes(this.#get(b)) ? -1 : 1));
  }

  /** Returns those of the rows of the pool that add up to a row, exactly or except for rounding; none if none do. */
  findParts(name: string, pool: readonly string[]): readonly string[] {
    const target = this.#get(name);
    const units = assertDefined(this.#units.get(name));
    const isPositive = pool.every((other) => this.#get(other).every((value) => value >= 0n));
    // A part of positive rows is not above their sum, which leaves few rows to search.
    const canBePart = (vector: Vector) =>
      !isPositive ||
      vector.every((value, index) => value <= assertDefined(target[index]) + assertDefined(units[index]));
    const candidates = pool.filter((other) => canBePart(this.#get(other)));
    if (candidates.length < 2 || candidates.length > MAX_ROWS_SEARCHED) return [];
    const vectors = candidates.map((other) => this.#get(other));
    const exact = findLargestSubset(vectors, target);
    const found = exact !== null && exact.size > 1 ? exact : findNearSubset(vectors, target, units);
    return found === null ? [] : candidates.filter((_, index) => found.has(index));
  }

  #get(name: string): Vector {
    return assertDefined(this.#vectors.get(name));
  }
}
