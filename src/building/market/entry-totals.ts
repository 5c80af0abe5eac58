import { nearlyEqual, sum } from '../../contract/decimal.ts';
import type { HoldingLine, ThirteenFReport } from '../../edgar/holdings/thirteen-f-report.ts';
import type { ValueUnit } from '../../figures/holders/positions.ts';
import type { Check } from '../../store/manifest.ts';

/**
 * Maximum share of mismatches. Managers miscount, or state the total in another unit; more mismatches would mean a
 * fault of the reader.
 */
const TOLERATED_SHARE = 0.05;
const VALUE_TOLERANCE = '0.01';

/** Number of 13F tables that were compared with their cover pages, and number of mismatches. */
export interface EntryCounts {
  readonly tested: number;
  readonly entries: number;
  readonly values: number;
  readonly thousands: number;
  /** A mismatch, as text; empty if all tables match. */
  readonly example: string;
}

/** Checks 13F tables against the numbers of entries and the total values that their cover pages state. */
export class EntryTotals {
  #tested = 0;
  #entries = 0;
  #values = 0;
  #thousands = 0;
  #example = '';

  add(report: ThirteenFReport, lines: readonly HoldingLine[], unit: ValueUnit): void {
    const entries = report.entryTotal !== null && report.entryTotal !== lines.length;
    const worth = sum(lines.map(({ value }) => value));
    const values = report.valueTotal !== null && !nearlyEqual(worth, report.valueTotal, VALUE_TOLERANCE);
    this.addAll({
      tested: 1,
      entries: entries ? 1 : 0,
      values: values ? 1 : 0,
      thousands: unit === 'thousands' ? 1 : 0,
      example: entries || values ? `, such as ${report.accession}` : '',
    });
  }

  /** Adds the counts of another task. */
  addAll({ tested, entries, values, thousands, example }: EntryCounts): void {
    this.#tested += tested;
    this.#entries += entries;
    this.#values += values;
    this.#thousands += thousands;
    this.#example ||= example;
  }

  counts(): EntryCounts {
    const [tested, entries, values] = [this.#tested, this.#entries, this.#values];
    return { tested, entries, values, thousands: this.#thousands, example: this.#example };
  }

  check(): Check {
    const wrong = Math.max(this.#entries, this.#values);
    return {
      name: 'entries',
      // Allows one mismatch even among a few reports.
      passed: wrong <= Math.max(1, this.#tested * TOLERATED_SHARE),
      detail: `${this.#tested} 13F reports (${this.#thousands} of them in thousands of dollars): in ${this.#entries} the number of entries differs from the cover page, in ${this.#values} the total value${this.#example}`,
    };
  }
}
