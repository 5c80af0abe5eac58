import { describeCause, throwIfMachineFault } from '../../platform/files/system-error.ts';

/** Counts skipped rows and facts by reason: bad input does not stop a build, but is counted and reported. */
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
 * Returns a sentence about an unreadable file, with its name and the cause. If the machine is at fault, not the file,
 * throws a data Failure instead.
 */
export function describeProblem(name: string, cause: unknown): string {
  throwIfMachineFault(name, cause);
  const message = describeCause(cause);
  const offset = message.indexOf(name);
  return offset < 0 ? `${name}: ${message}` : message.slice(offset);
}
