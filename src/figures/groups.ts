/** The entry under a key, which is made where there is none. */
export function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = make();
    map.set(key, entry);
  }
  return entry;
}

/** Puts a value at the end of the list under a key. */
export function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** The items, sorted in place. Most lists are in order already, which costs less to see than to sort. */
export function inOrder<T>(items: T[], compare: (a: T, b: T) => number): T[] {
  for (let index = 1; index < items.length; index++) {
    if (compare(items[index - 1] as T, items[index] as T) > 0) return items.sort(compare);
  }
  return items;
}

/** The items by their keys, in order of first appearance. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    pushTo(groups, keyOf(item), item);
  }
  return groups;
}
