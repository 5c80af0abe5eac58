/** Collects the output of all companies for tables that are not sorted by company, such as filings by day. */

import { addCounts } from '../tasks/counts.ts';
import { type Slice, SliceIndex, type TaskOutput } from '../tasks/slices.ts';
import type { FilingCounts, FilingLists, SharedTablesName } from './filing-lists.ts';
import { makeSharedGroup, NO_FILING_COUNTS } from './filing-lists.ts';
import { InsiderDayIndex } from './insider-day-index.ts';

export class FilingCollector {
  readonly insiderDays: InsiderDayIndex;
  readonly #slices = new SliceIndex();
  #counts = NO_FILING_COUNTS;

  /** @param scratch a new directory for temporary files of insider trades */
  constructor(scratch: string) {
    this.insiderDays = new InsiderDayIndex(scratch);
  }

  get counts(): FilingCounts {
    return this.#counts;
  }

  /** Adds the output of companies, in order of CIK. */
  append(output: TaskOutput, { insiders, counts }: Pick<FilingLists, 'insiders' | 'counts'>): void {
    this.#slices.add(output);
    for (const company of insiders) this.insiderDays.add(company);
    this.#counts = addCounts(this.#counts, counts);
  }

  /** Returns the slices for each part of the tables, sorted by part number. */
  getSharedSlices(tables: SharedTablesName): readonly { readonly number: number; readonly slices: readonly Slice[] }[] {
    const numbers = this.#slices.groups.flatMap((group) => {
      const [name, number] = group.split(' ');
      return name === tables ? [Number(number)] : [];
    });
    return numbers
      .sort((a, b) => a - b)
      .map((number) => ({ number, slices: this.#slices.getSlices(makeSharedGroup(tables, number)) }));
  }
}
