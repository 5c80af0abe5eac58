/** Number of records that tasks read from files, by the files' names. A file without an entry has none. */
export type RecordCounts = Map<string, number>;

/** Adds the counts of a task. */
export function addRecordCounts(total: RecordCounts, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) total.set(name, (total.get(name) ?? 0) + count);
}
