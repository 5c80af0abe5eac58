/** Collects companies' output for the tables of all companies' filings. */
import { type Slice, SliceIndex, type TaskOutput } from '../tasks/slices.ts';
import {
  addCounts,
  type FilingCounts,
  type FilingLists,
  NO_FILINGS,
  type SharedTables,
  sharedGroup,
} from './filing-lists.ts';
import { InsiderDayIndex } from './insider-day-index.ts';

export class ListCollector {
  readonly insiderDays: InsiderDayIndex;
  readonly #slices = new SliceIndex();
  #counts = NO_FILINGS;

  /** @param scratch a new directory, for the days of insider trades */
  constructor(scratch: string) {
    this.insiderDays = new InsiderDayIndex(scratch);
  }

  get counts(): FilingCounts {
    return this.#counts;
  }

  /** Companies must be appended in order of CIK. */
  append(output: TaskOutput, { insiders, counts }: Pick<FilingLists, 'insiders' | 'counts'>): void {
    this.#slices.add(output);
    for (const one of insiders) this.insiderDays.add(one);
    this.#counts = addCounts(this.#counts, counts);
  }

  /** Returns companies' output for the parts of some tables, ordered by part number. */
  leftFor(tables: SharedTables): readonly { readonly number: number; readonly slices: readonly Slice[] }[] {
    const numbers = this.#slices.groups.flatMap((group) => {
      const [name, number] = group.split(' ');
      return name === tables ? [Number(number)] : [];
    });
    return numbers
      .sort((a, b) => a - b)
      .map((number) => ({ number, slices: this.#slices.of(sharedGroup(tables, number)) }));
  }
}
