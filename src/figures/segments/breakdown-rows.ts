/**
 * Arranges what a filing states about one breakdown as a tree of rows. Rows of one level add up to the row above them,
 * or to the total: each amount counts once.
 */
import { multiply, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import { assertDefined, groupBy } from '../../platform/collections.ts';
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
  const parentNames = new Set(parentOf.values());
  const makeRow = (member: string, value: Decimal, countedRole: RowRole, isCounted: boolean): BreakdownRow =>
    isCounted
      ? { member, value, parent: parentOf.get(member) ?? null, role: countedRole }
      : { member, value, parent: null, role: 'not_added' };
  const isCounted = (name: string) => leaves.includes(name) || parentNames.has(name) || parentOf.has(name);
  const memberRows = [...members, ...[...groups].map(([name, { value }]) => [name, value] as const), ...otherMembers]
    // A member of the same amount as the total is the total.
    .filter(([name, value]) => isCounted(name) || total === null || !isEqual(value, total))
    .map(([name, value]) => makeRow(name, value, 'member', isCounted(name)));
  const partRows = [...parts].map(
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
  return [...memberRows, ...partRows, ...items];
}

/** Returns the reconciling items that equal a member less its parts, each with the name of this member. */
function findItemsOfParts(
  parts: Breakdown['parts'],
  members: ReadonlyMap<string, Decimal>,
  items: Breakdown['reconcilingItems'],
  closing: ReadonlyMap<string, Decimal>,
): ReadonlyMap<string, string> {
  const parentByItem = new Map<string, string>();
  for (const [name, ofParent] of groupBy([...parts.values()], ({ parent }) => parent)) {
    const remainder = subtract(assertDefined(members.get(name)), sum(ofParent.map(({ value }) => value)));
    const equalItems = isZero(remainder)
      ? []
      : [...items].filter(([item, { value }]) => !closing.has(item) && isEqual(value, remainder));
    const [item] = equalItems;
    if (item !== undefined && equalItems.length === 1) parentByItem.set(item[0], name);
  }
  return parentByItem;
}

/**
 * Returns the reconciling items that close the gap between the members and the total, except for rounding; of several
 * sets, the one that closes it best, then the largest. Empty if no set does: then no item is known to belong to the
 * gap.
 */
function chooseReconcilingItems(breakdown: Breakdown, leaves: readonly string[]): ReadonlyMap<string, Decimal> {
  const { total, members, axis, units } = breakdown;
  const items = [...breakdown.reconcilingItems].map(([name, { value }]) => [name, value] as const);
  if (total === null || items.length === 0 || items.length > MAX_ITEMS_SEARCHED) return new Map();
  const gap = subtract(total, sum(leaves.map((name) => assertDefined(members.get(name)))));
  const names = [...leaves, ...items.map(([name]) => name), null];
  const rounding = findMaxRounding(names.map((name) => units.get(name) ?? '0'));
  // Regions and products are seldom tagged with reconciling items, so a gap of rounding is not one.
  if (axis !== 'segment' && compareDecimals(takeAbsoluteValue(gap), rounding) <= 0) return new Map();
  let best: { readonly mask: number; readonly size: number; readonly distance: Decimal } | null = null;
  for (let mask = 1; mask < 1 << items.length; mask += 1) {
    const subset = items.filter((_, index) => (mask >> index) & 1);
    const distance = takeAbsoluteValue(subtract(gap, sum(subset.map(([, value]) => value))));
    const order = best === null ? -1 : compareDecimals(distance, best.distance);
    if (best === null || order < 0 || (order === 0 && subset.length > best.size))
      best = { mask, size: subset.length, distance };
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
 * Returns the parent of each row that is a part of another. First, each member or item that does not count toward the
 * total is the parent of the rows that add up to it in every period. Then each member that counts is the parent of the
 * remaining members that add up to it.
 */
function findParents(
  breakdowns: readonly Breakdown[],
  leaves: readonly string[],
  closing: readonly ReadonlyMap<string, Decimal>[],
): ReadonlyMap<string, string> {
  const first = assertDefined(breakdowns[0]);
  const countedNames = [...leaves, ...listNames(closing)];
  const rowMaps = breakdowns.flatMap(({ otherMembers, reconcilingItems }) => [otherMembers, reconcilingItems]);
  const otherNames = [...first.members.keys(), ...listNames(rowMaps)].filter((name) => !countedNames.includes(name));
  if (otherNames.length === 0) return new Map();
  const figures = new RowFigures(breakdowns, [...countedNames, ...otherNames]);
  const parents = new Map<string, string>();
  let pool = countedNames.filter((name) => !figures.isZero(name));
  // Smallest first, so that a sum of sums has the smaller sums as its parts.
  for (const name of figures.sortByMagnitude(otherNames.filter((other) => !figures.isTotal(other)))) {
    const parts = figures.findParts(name, pool);
    for (const part of parts) parents.set(part, name);
    if (parts.length > 0) pool = [...pool.filter((other) => !parts.includes(other)), name];
  }
  const isItem = (name: string) => breakdowns.some(({ reconcilingItems }) => reconcilingItems.has(name));
  const unplaced = new Set(otherNames.filter((name) => !isItem(name) && !pool.includes(name) && !parents.has(name)));
  for (const name of figures.sortByMagnitude(leaves).reverse()) {
    const candidates = [...unplaced].filter((other) => !figures.isZero(other));
    const parts = figures.findParts(name, candidates);
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
    const indexColumns = (start: number) =>
      new Map(names.map((name, column) => [name, assertDefined(columns[start + column])]));
    this.#vectors = indexColumns(0);
    this.#units = indexColumns(names.length);
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

  /** Returns the rows of the pool that add up to the named row, exactly or except for rounding; empty if no rows do. */
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
    const subset = exact !== null && exact.size > 1 ? exact : findNearSubset(vectors, target, units);
    return subset === null ? [] : candidates.filter((_, index) => subset.has(index));
  }

  #get(name: string): Vector {
    return assertDefined(this.#vectors.get(name));
  }
}
