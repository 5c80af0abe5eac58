import { isNearlyEqual, sum } from '../../contract/decimal.ts';
import type { HoldingLine, ThirteenFReport } from '../../edgar/holdings/thirteen-f-report.ts';
import type { ValueUnit } from '../../ownership/holders/positions.ts';
import type { Check } from '../../store/releases/manifest.ts';

/**
 * Maximum share of mismatches: managers miscount, or state the total in another unit. More mismatches would indicate a
 * bug in the reader.
 */
const MAX_MISMATCH_FRACTION = 0.05;
const VALUE_TOLERANCE = '0.01';

/** Number of 13F tables compared with their cover pages, and number of mismatches. */
export interface EntryTotalCounts {
  readonly testedReports: number;
  readonly entryMismatches: number;
  readonly valueMismatches: number;
  readonly reportsInThousands: number;
  /** One mismatch as text; empty if all tables match. */
  readonly example: string;
}

/** Compares 13F tables with the number of entries and the total value on their cover pages. */
export class EntryTotals {
  #testedReportCount = 0;
  #entryTotalMismatchCount = 0;
  #valueTotalMismatchCount = 0;
  #thousandsReportCount = 0;
  #example = '';

  add(report: ThirteenFReport, lines: readonly HoldingLine[], unit: ValueUnit): void {
    const hasDifferentEntryCount = report.entryTotal !== null && report.entryTotal !== lines.length;
    const lineValueSum = sum(lines.map(({ value }) => value));
    const differs = report.valueTotal !== null && !isNearlyEqual(lineValueSum, report.valueTotal, VALUE_TOLERANCE);
    this.addAll({
      testedReports: 1,
      entryMismatches: hasDifferentEntryCount ? 1 : 0,
      valueMismatches: differs ? 1 : 0,
      reportsInThousands: unit === 'thousands' ? 1 : 0,
      example: hasDifferentEntryCount || differs ? `, such as ${report.accession}` : '',
    });
  }

  /** Adds the counts of another task. */
  addAll({ testedReports, entryMismatches, valueMismatches, reportsInThousands, example }: EntryTotalCounts): void {
    this.#testedReportCount += testedReports;
    this.#entryTotalMismatchCount += entryMismatches;
    this.#valueTotalMismatchCount += valueMismatches;
    this.#thousandsReportCount += reportsInThousands;
    this.#example ||= example;
  }

  getCounts(): EntryTotalCounts {
    return {
      testedReports: this.#testedReportCount,
      entryMismatches: this.#entryTotalMismatchCount,
      valueMismatches: this.#valueTotalMismatchCount,
      reportsInThousands: this.#thousandsReportCount,
      example: this.#example,
    };
  }

  check(): Check {
    const max = Math.max(this.#entryTotalMismatchCount, this.#valueTotalMismatchCount);
    return {
      name: 'entries',
      // Allows one mismatch even if few reports were compared.
      passed: max <= Math.max(1, this.#testedReportCount * MAX_MISMATCH_FRACTION),
      detail: `${this.#testedReportCount} 13F reports (${this.#thousandsReportCount} of them in thousands of dollars) were compared with their cover pages: the number of entries differs in ${this.#entryTotalMismatchCount}, the total value in ${this.#valueTotalMismatchCount}${this.#example}`,
    };
  }
}
