/** Counts of tasks, and their sums. */

/**
 * Adds counts field by field; a missing number is 0. Of texts, such as examples, keeps the first that is neither null
 * nor empty.
 */
export function addCounts<Counts extends object>(a: Counts, b: Partial<Counts>): Counts {
  const sums = { ...a } as Record<string, unknown>;
  for (const [name, value] of Object.entries(b))
    sums[name] = typeof value === 'number' ? Number(sums[name] ?? 0) + value : sums[name] || value;
  return sums as Counts;
}

/** Number of records that tasks read from files, by the files' names. A file without an entry has none. */
export type RecordCounts = Map<string, number>;

export function addEach(totals: Map<string, number>, counts: Iterable<readonly [key: string, count: number]>): void {
  for (const [key, count] of counts) totals.set(key, (totals.get(key) ?? 0) + count);
}
