/** An answer for programs: flat rows under fixed names, every figure exact. */

import { MISSING_TEXT } from '../contract/missing-text.ts';

export type Value = string | number | boolean | null;

export interface Rows {
  readonly columns: readonly string[];
  /** Parallel to `columns`. May be made on demand, so that a long answer is not in memory twice. */
  readonly rows: Iterable<readonly Value[]>;
}

/** Rows of records whose fields are named like the columns; what a record lacks is null. */
export function pick(columns: readonly string[], records: Iterable<object>): Rows {
  return { columns, rows: map(records, (record) => columns.map((name) => ownValue(record, name))) };
}

/** The record's own value of that name, flat. A service may name any column, `constructor` too. */
export const ownValue = (record: object, name: string): Value =>
  Object.hasOwn(record, name) ? flatValue(Reflect.get(record, name)) : null;

export function* map<In, Out>(items: Iterable<In>, mapItem: (item: In) => Out): Generator<Out> {
  for (const item of items) yield mapItem(item);
}

/** A flat value: the items of a list are joined by spaces, since no name of the interface has any. */
export function flatValue(given: unknown): Value {
  if (Array.isArray(given))
    return given.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join(' ');
  if (given === MISSING_TEXT) return null;
  if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean') return given;
  return given == null ? null : JSON.stringify(given);
}
