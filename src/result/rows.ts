/** Flat rows of an answer for programs: fixed column names, exact figures. */

import { MISSING_TEXT_PLACEHOLDER } from '../contract/text/missing-text.ts';

export type FlatValue = string | number | boolean | null;

export interface FlatRows {
  readonly columns: readonly string[];
  /**
   * Rows of values parallel to `columns`. May be generated on demand, so that memory never has a second copy of a long
   * answer.
   */
  readonly rows: Iterable<readonly FlatValue[]>;
}

/** Returns one row for each record, with the fields that `columns` names; missing fields become null. */
export const pickFields = (columns: readonly string[], records: Iterable<object>): FlatRows => ({
  columns,
  rows: map(records, (record) => columns.map((name) => readOwnValue(record, name))),
});

/** Returns each row as an object with the names of the columns. */
export const toObjects = ({ columns, rows }: FlatRows): Readonly<Record<string, FlatValue>>[] =>
  [...rows].map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));

/**
 * Returns the record's own field as a flat value. Inherited fields are ignored, because a service may name a column
 * anything, even `constructor`.
 */
export function readOwnValue(record: object, name: string): FlatValue {
  const value: unknown = Reflect.get(record, name);
  // Text and numbers need no check for inheritance, because prototypes of records contain only functions and objects.
  if (typeof value === 'string' || typeof value === 'number') return flattenValue(value);
  return Object.hasOwn(record, name) ? flattenValue(value) : null;
}

export function* map<In, Out>(items: Iterable<In>, mapItem: (item: In) => Out): Generator<Out> {
  for (const item of items) yield mapItem(item);
}

export function* flatMap<In, Out>(items: Iterable<In>, list: (item: In) => Iterable<Out>): Generator<Out> {
  for (const item of items) yield* list(item);
}

/**
 * Converts a value to a flat value. The items of a list are joined by spaces; in lists of text, such as item numbers of
 * an 8-K, no item contains a space.
 */
export function flattenValue(raw: unknown): FlatValue {
  if (raw === MISSING_TEXT_PLACEHOLDER) return null;
  if (typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean') return raw;
  if (Array.isArray(raw)) return raw.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join(' ');
  return raw == null ? null : JSON.stringify(raw);
}
