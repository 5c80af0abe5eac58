/** Checks 13F tables against the numbers of entries and the total values that their cover pages state. */

import { nearlyEqual, sum } from '../../../contract/decimal.ts';
import type { HoldingLine, ThirteenFReport } from '../../../edgar/holdings/thirteen-f-report.ts';
import type { ValueUnit } from '../../../figures/holders/value-unit.ts';
import type { Check } from '../../store/manifest.ts';

/** Managers miscount, or state the total in another unit; a larger share of mismatches would be a fault of the reader. */
const TOLERATED_SHARE = 0.05;
const VALUE_TOLERANCE = '0.01';

export class EntryTotals {
  #tested = 0;
  #entries = 0;
  #values = 0;
  #thousands = 0;
  #example = '';

  get tested(): number {
    return this.#tested;
  }

  add(report: ThirteenFReport, lines: readonly HoldingLine[], unit: ValueUnit): void {
    this.#tested += 1;
    if (unit === 'thousands') this.#thousands += 1;
    const entries = report.entryTotal !== null && report.entryTotal !== lines.length;
    const worth = sum(lines.map(({ value }) => value));
    const values = report.valueTotal !== null && !nearlyEqual(worth, report.valueTotal, VALUE_TOLERANCE);
    if (entries) this.#entries += 1;
    if (values) this.#values += 1;
    if (entries || values) this.#example ||= `, such as ${report.accession}`;
  }

  check(): Check {
    const wrong = Math.max(this.#entries, this.#values);
    return {
      name: 'entries',
      // Of a few reports one may always be off.
      passed: wrong <= Math.max(1, this.#tested * TOLERATED_SHARE),
      detail: `of ${this.#tested} 13F reports (${this.#thousands} in thousands) ${this.#entries} have another number of entries than their cover says, ${this.#values} are worth more or less${this.#example}`,
    };
  }
}
