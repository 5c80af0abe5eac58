/**
 * Values by start and end of periods. Few periods of a company end on the same day, so a short list per end is faster
 * than joined keys.
 */
interface Dates {
  readonly start: string | null;
  readonly end: string;
}

interface Entry<T> {
  readonly start: string | null;
  value: T;
  /** The next period that ends on the same day. */
  readonly next: Entry<T> | undefined;
}

export class PeriodMap<T> {
  readonly #byEnd = new Map<string, Entry<T>>();

  get({ start, end }: Dates): T | undefined {
    return this.#getOrInsert(start, end)?.value;
  }

  set({ start, end }: Dates, value: T): void {
    const entry = this.#getOrInsert(start, end);
    if (entry !== undefined) entry.value = value;
    else this.#byEnd.set(end, { start, value, next: this.#byEnd.get(end) });
  }

  #getOrInsert(start: string | null, end: string): Entry<T> | undefined {
    let entry = this.#byEnd.get(end);
    while (entry !== undefined && entry.start !== start) entry = entry.next;
    return entry;
  }
}
