import { describeCause, throwIfMachineFault } from '../../platform/system-error.ts';

/** Counts skipped rows by reason. Untrusted input never stops a build, and is never skipped silently. */
export class SkippedRowCounts {
  readonly #countByReason = new Map<string, number>();

  add(reason: string, count = 1): void {
    this.#countByReason.set(reason, (this.#countByReason.get(reason) ?? 0) + count);
  }

  /** Adds counts by reason, such as those of a worker. */
  addAll(counts: Readonly<Record<string, number>>): void {
    for (const [reason, count] of Object.entries(counts)) this.add(reason, count);
  }

  /** Returns the number of rows by reason, in alphabetical order, so that equal input has an equal report. */
  getCounts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#countByReason].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/**
 * Returns a sentence about an unreadable file, with its name and the cause. Throws a data Failure if the fault is the
 * machine's and not the file's.
 */
export function describeProblem(name: string, cause: unknown): string {
  throwIfMachineFault(name, cause);
  const message = describeCause(cause);
  const nameOffset = message.indexOf(name);
  return nameOffset < 0 ? `${name}: ${message}` : message.slice(nameOffset);
}
