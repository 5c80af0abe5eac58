/**
 * A map from a period's start and end to a value. Few periods of a company end on the same day, so a linked list per
 * end is faster than combined keys.
 */
interface Dates {
  readonly start: string | null;
  readonly end: string;
}

interface Entry<T> {
  readonly start: string | null;
  value: T;
  /** The next entry with the same end. */
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
