/**
 * Reads files that may be damaged, and sums the counts of tasks that read them. A fault of the machine, such as too few
 * file descriptors, is thrown as a data Failure.
 */
import { describeProblem, type SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { throwIfMachineFault } from '../../platform/files/system-error.ts';
import { isObject } from '../../platform/json-object.ts';

/** What a task could not read, as part of its result. */
export interface ReadingReport {
  /** Number of rows that were not read, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Sentences about unreadable files. */
  readonly problems: readonly string[];
}

/** What was not read so far. */
export interface ReadingLog {
  readonly skipped: SkippedRowCounts;
  readonly problems: string[];
}

export function addReport(log: ReadingLog, { skipped, problems }: ReadingReport): void {
  log.skipped.addAll(skipped);
  log.problems.push(...problems);
}

/** Returns whether `read` succeeded; if not, counts the reason and reports the problem with the file. */
export async function readOrReport(
  name: string,
  reason: string,
  { skipped, problems }: ReadingLog,
  read: () => Promise<void>,
): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (cause) {
    skipped.add(reason);
    problems.push(describeProblem(name, cause));
    return false;
  }
}

/** Returns the result of `read`; the fallback if the file cannot be read. */
export async function readOrElse<T>(name: string, fallback: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throwIfMachineFault(name, cause);
    return fallback;
  }
}

/**
 * Adds counts field by field, including those of nested objects; a missing number is 0. Of texts, such as examples,
 * keeps the first that is neither null nor empty.
 */
export function addCounts<Counts extends object>(a: Counts, b: Partial<Counts>): Counts {
  const sums = { ...a } as Record<string, unknown>;
  for (const [name, value] of Object.entries<unknown>(b)) {
    const sum = sums[name];
    if (typeof value === 'number') sums[name] = Number(sum ?? 0) + value;
    else sums[name] = isObject(value) ? addCounts(isObject(sum) ? sum : {}, value) : sum || value;
  }
  return sums as Counts;
}

/** Number of records that tasks read from files, by the files' names. A file without an entry has none. */
export type RecordCounts = Map<string, number>;

export function addEach(totals: Map<string, number>, counts: Iterable<readonly [key: string, count: number]>): void {
  for (const [key, count] of counts) totals.set(key, (totals.get(key) ?? 0) + count);
}
