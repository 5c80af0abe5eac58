/** Values by the dates of periods. Few periods of a company end on one day, so no key is joined of two dates. */
import { pushTo } from '../groups.ts';

interface Dates {
  readonly start: string | null;
  readonly end: string;
}

interface Entry<T> {
  readonly start: string | null;
  value: T;
}

export class PeriodMap<T> {
  readonly #byEnd = new Map<string, Entry<T>[]>();

  get({ start, end }: Dates): T | undefined {
    return this.#entryOf(start, end)?.value;
  }

  set({ start, end }: Dates, value: T): void {
    const entry = this.#entryOf(start, end);
    if (entry !== undefined) entry.value = value;
    else pushTo(this.#byEnd, end, { start, value });
  }

  #entryOf(start: string | null, end: string): Entry<T> | undefined {
    const entries = this.#byEnd.get(end);
    if (entries !== undefined) for (const entry of entries) if (entry.start === start) return entry;
    return undefined;
  }
}
