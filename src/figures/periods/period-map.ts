/** Maps and groups by a period's start and end. */
import { groupBy } from '../../platform/collections.ts';

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

/** Few periods of a company end on the same day, so a linked list per end is faster than combined keys. */
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

/** Groups items by their start and end; the groups are in the order of their first items. */
export function groupByPeriod<T extends PeriodDates>(items: Iterable<T>): [T, ...T[]][] {
  const byDates = new PeriodMap<[T, ...T[]]>();
  const groups: [T, ...T[]][] = [];
  for (const item of items) {
    const group = byDates.get(item);
    if (group !== undefined) group.push(item);
    else {
      const newGroup: [T] = [item];
      byDates.set(item, newGroup);
      groups.push(newGroup);
    }
  }
  return groups;
}

/** Groups items by their start and end, and the items of each period by unit. */
export const groupByPeriodAndUnit = <T extends PeriodDates & { readonly unit: string }>(items: Iterable<T>) =>
  groupByPeriod(items).flatMap((ofPeriod) => [...groupBy(ofPeriod, ({ unit }) => unit).values()]);
