import { throwMachineFault } from '../../platform/system-error.ts';

/** Counts skipped rows by reason: untrusted input never stops a build, and is never dropped silently. */
export class SkippedRows {
  readonly #counts = new Map<string, number>();

  add(reason: string, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  /** Adds counts of another task. */
  addAll(counts: Readonly<Record<string, number>>): void {
    for (const [reason, count] of Object.entries(counts)) this.add(reason, count);
  }

  /** Returns reasons in alphabetical order, so that equal input gives an equal report. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/**
 * Returns a report's sentence on an unreadable file: its name, once, and the cause. Throws a data Failure if the
 * cause is this machine.
 */
export function problemOf(name: string, cause: unknown): string {
  throwMachineFault(name, cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const nameOffset = message.indexOf(name);
  return nameOffset < 0 ? `${name}: ${message}` : message.slice(nameOffset);
}
