/** Joins the rows of all periods of a series: each row has one parent and one role in all its periods. */
import { sum } from '../../contract/decimal.ts';
import { type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import { getOrInsert } from '../../platform/collections.ts';
import type { BreakdownRow, RowRole } from './breakdown-rows.ts';

interface PlacedRow {
  readonly name: string;
  readonly parent: string | null;
  readonly role: RowRole;
  /** One value per period; null if missing. */
  readonly values: readonly (Decimal | null)[];
}

/**
 * Returns the rows of a series. A member that is a part of another in some periods is its part in all periods in which
 * the other has no value. In periods in which the other has a value without this part, the member is a row of its own.
 * Omits rows of zeros that are not members.
 * @param columns the rows of each period, latest first
 */
export function placeRows(columns: readonly (readonly BreakdownRow[])[]): readonly PlacedRow[] {
  const parents = collectParents(columns);
  const rowByKey = new Map<string, PlacedRow & { readonly values: (Decimal | null)[] }>();
  for (const [index, column] of columns.entries()) {
    for (const { member, parent, role, value } of addProvenParents(column, parents)) {
      const isShown = (name: string) => column.some((other) => other.member === name && other.role !== 'not_added');
      const usual = role === 'not_added' ? undefined : parents.get(member);
      const ownParent = usual === undefined || usual === parent || isShown(usual) ? parent : usual;
      const key = `${role} ${ownParent ?? ''} ${member}`;
      const row = getOrInsert(rowByKey, key, () => ({
        ...{ name: member, parent: ownParent, role },
        values: columns.map((): Decimal | null => null),
      }));
      row.values[index] = value;
    }
  }
  const shownRows = [...rowByKey.values()].filter(
    ({ role, values }) => role === 'member' || values.some((value) => value !== null && !isZero(value)),
  );
  const names = new Set(shownRows.flatMap(({ name, role }) => (role === 'not_added' ? [] : [name])));
  return shownRows.map((row) => (row.parent === null || names.has(row.parent) ? row : { ...row, parent: null }));
}

/** Returns the parent of each part, as the latest period states it. */
function collectParents(columns: readonly (readonly BreakdownRow[])[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  const isAbove = (name: string, other: string): boolean => {
    const parent = parents.get(other);
    return other === name || (parent !== undefined && isAbove(name, parent));
  };
  for (const { member, parent } of columns.flat()) {
    if (parent !== null && !parents.has(member) && !isAbove(member, parent)) parents.set(member, parent);
  }
  return parents;
}

/**
 * Returns the rows of a period. A row with the role `not_added` that is a parent in other periods becomes the parent in
 * this period too if its parts add up to it: the figures of this period alone are too few to prove that.
 */
function addProvenParents(column: readonly BreakdownRow[], parents: ReadonlyMap<string, string>) {
  let rows = column;
  for (const row of column) {
    if (row.role !== 'not_added') continue;
    const parts = rows.filter(
      ({ member, parent, role }) => role !== 'not_added' && parent === null && parents.get(member) === row.member,
    );
    if (parts.length < 2 || !isEqual(sum(parts.map(({ value }) => value)), row.value)) continue;
    rows = rows.map((other) => {
      if (other === row) return { ...row, role: 'member' };
      return parts.includes(other) ? { ...other, parent: row.member } : other;
    });
  }
  return rows;
}

const ROLES_IN_ORDER: readonly RowRole[] = ['member', 'reconciling', 'not_added'];

type TreeRow = Pick<BreakdownRow, 'member' | 'parent' | 'role'>;

/** Returns the rows in the order of a table: each row before its parts, members before reconciling items. */
export function orderAsTree<Row extends TreeRow>(rows: readonly Row[]): Row[] {
  const sorted = [...rows].sort((a, b) => ROLES_IN_ORDER.indexOf(a.role) - ROLES_IN_ORDER.indexOf(b.role));
  const ordered = new Set<Row>();
  const addBelow = (parent: string | null) => {
    for (const row of sorted) {
      if (row.parent !== parent || ordered.has(row)) continue;
      ordered.add(row);
      if (row.role !== 'not_added') addBelow(row.member);
    }
  };
  addBelow(null);
  return [...ordered];
}
