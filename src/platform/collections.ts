/** Returns the value of a key. If the map lacks the key, inserts the value that `make` returns. */
export function getOrInsert<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Appends a value to the list of a key. */
export function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** Groups items by key; keys are in order of first occurrence. */
export function groupBy<T, K>(items: Iterable<T>, getKey: (item: T) => K): ReadonlyMap<K, readonly [T, ...T[]]> {
  const byKey = new Map<K, [T, ...T[]]>();
  for (const item of items) pushTo(byKey, getKey(item), item);
  return byKey;
}

/**
 * Divides items into runs of consecutive items.
 * @param continues whether an item belongs to the run before it, whose last item is `last`
 */
export function divideIntoRuns<T>(
  items: Iterable<T>,
  continues: (item: T, last: T, run: readonly [T, ...T[]]) => boolean,
): [T, ...T[]][] {
  const runs: [T, ...T[]][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (run !== undefined && continues(item, run.at(-1) as T, run)) run.push(item);
    else runs.push([item]);
  }
  return runs;
}

/**
 * Sorts items in place and returns them. Checks first whether they are sorted, because most lists are, and a check
 * costs less than sorting.
 */
export function sortIfNeeded<T>(items: T[], compare: (a: T, b: T) => number): T[] {
  for (let index = 1; index < items.length; index++) {
    if (compare(items[index - 1] as T, items[index] as T) > 0) return items.sort(compare);
  }
  return items;
}

/** Returns the items of all lists. Uses `concat`, which copies whole lists; `flat` and `flatMap` copy item by item. */
export const joinLists = <T>(lists: readonly (readonly T[])[]): T[] => ([] as T[]).concat(...lists);

/** Returns the set of the words in a text, which are separated by single spaces. */
export const toWordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Returns the only element of a list; null if the list has none or several. */
export const getOnlyElement = <T>(items: readonly T[]): T | null => (items.length === 1 ? (items[0] as T) : null);

/**
 * Returns the first index from `from` that passes a test, or `to` if no index before `to` passes. A binary search: all
 * indexes after the first must pass, too.
 */
export function findFirstIndex(from: number, to: number, passes: (index: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the sum of numbers; 0 for an empty list. */
export const sumNumbers = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Returns the value, which callers know to be defined. Throws a RangeError if it is null or undefined. */
export function assertDefined<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new RangeError('a value that must be defined is missing');
  return value;
}
