/**
 * A map from a period's start and end to a value. Few periods of a company end on the same day, so a linked list per
 * end is faster than combined keys.
 */
interface PeriodDates {
  readonly start: string | null;
  readonly end: string;
}

interface PeriodEntry<T> {
  readonly start: string | null;
  value: T;
  /** The next entry with the same end. */
  readonly next: PeriodEntry<T> | undefined;
}

export class PeriodMap<T> {
  readonly #firstEntryByEnd = new Map<string, PeriodEntry<T>>();

  get({ start, end }: PeriodDates): T | undefined {
    return this.#findEntry(start, end)?.value;
  }

  set({ start, end }: PeriodDates, value: T): void {
    const entry = this.#findEntry(start, end);
    if (entry !== undefined) entry.value = value;
    else this.#firstEntryByEnd.set(end, { start, value, next: this.#firstEntryByEnd.get(end) });
  }

  /** Returns the value of a period. If the map lacks the period, inserts the value that `make` returns. */
  getOrInsert(period: PeriodDates, make: () => T): T {
    let value = this.get(period);
    if (value === undefined) {
      value = make();
      this.set(period, value);
    }
    return value;
  }

  #findEntry(start: string | null, end: string): PeriodEntry<T> | undefined {
    let entry = this.#firstEntryByEnd.get(end);
    while (entry !== undefined && entry.start !== start) entry = entry.next;
    return entry;
  }
}
