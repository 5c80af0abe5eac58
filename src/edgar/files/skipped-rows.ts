import { throwMachineFault } from '../../platform/system-error.ts';

/** Rows that were not used, counted by reason: untrusted input never stops a build and is never dropped silently. */
export class SkippedRows {
  readonly #counts = new Map<string, number>();

  add(reason: string, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  /** Adds counts made elsewhere. */
  addAll(counts: Readonly<Record<string, number>>): void {
    for (const [reason, count] of Object.entries(counts)) this.add(reason, count);
  }

  /** Reasons in alphabetical order, so that equal input gives an equal report. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/**
 * What a report says of a file that cannot be read: its name, once, and the cause. Throws a data Failure where the machine is
 * at fault.
 */
export function problemOf(name: string, cause: unknown): string {
  throwMachineFault(name, cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const at = message.indexOf(name);
  return at < 0 ? `${name}: ${message}` : message.slice(at);
}
