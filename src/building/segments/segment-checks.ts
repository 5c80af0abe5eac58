import { add, isNearlyEqual } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Check } from '../../store/releases/manifest.ts';
import type { SegmentRow } from '../../store/schema/segments.ts';

/** Counts from the checks of breakdowns of revenue by region or product. Each period of a company counts separately. */
export interface SegmentCounts {
  readonly testedBreakdowns: number;
  /** Number of breakdowns whose members add up to total revenue. */
  readonly balancedBreakdowns: number;
  /** Number of breakdowns whose members exceed total revenue by more than half. */
  readonly doubledBreakdowns: number;
  /** Number of rows with a filing date or period end after the release's date. */
  readonly futureRows: number;
  /** A breakdown counted in `doubledBreakdowns`, as text; null if that count is 0. */
  readonly example: string | null;
}

/** The counts for a company without reports. */
export const NO_SEGMENT_COUNTS: SegmentCounts = {
  testedBreakdowns: 0,
  balancedBreakdowns: 0,
  doubledBreakdowns: 0,
  futureRows: 0,
  example: null,
};

/**
 * Share of total revenue by which the sum over regions or products may exceed it. A higher sum must include subtotals,
 * because regions and products do not sell to each other.
 */
const SUBTOTAL_TOLERANCE: Decimal = '0.5';
/** Maximum share of breakdowns that count revenue twice: some filers use unusual tags. */
const MAX_DOUBLED_FRACTION = 0.05;

/** Total revenue of a period, and the sum over the members of a breakdown. */
interface BreakdownTotals {
  readonly total: string;
  sum: string;
}

/** Checks companies' segments before publication. */
export class SegmentChecks {
  #testedCount = 0;
  #balancedBreakdownCount = 0;
  #doubledCount = 0;
  #futureRowCount = 0;
  #example: string | null = null;

  /** @param rows the rows of one company, sorted as in the table */
  add(cik: number, rows: readonly SegmentRow[], date: string): void {
    let totals: BreakdownTotals | null = null;
    let totalRow: SegmentRow | null = null;
    const finish = () => {
      if (totals !== null && totalRow !== null) this.#countBreakdown(cik, totalRow, totals);
    };
    for (const row of rows) {
      if (row.end > date || row.filed > date) this.#futureRowCount += 1;
      if (row.member === null) {
        finish();
        totalRow = row;
        totals = row.measure === 'revenue' && row.value !== null ? { total: row.value, sum: '0' } : null;
      } else if (totals !== null && row.value !== null) totals.sum = add(totals.sum, row.value);
    }
    finish();
  }

  #countBreakdown(cik: number, { axis, end, unit }: SegmentRow, { total, sum }: BreakdownTotals): void {
    if (axis === 'segment' || compareDecimals(total, '0') <= 0) return;
    this.#testedCount += 1;
    if (isNearlyEqual(sum, total, '0.005')) this.#balancedBreakdownCount += 1;
    else if (compareDecimals(sum, total) > 0 && !isNearlyEqual(sum, total, SUBTOTAL_TOLERANCE)) {
      this.#doubledCount += 1;
      this.#example ??= `CIK ${cik}, ${axis}, ${end} (${unit})`;
    }
  }

  /** Adds the counts of a company or of a batch of companies. */
  addAll({ testedBreakdowns, balancedBreakdowns, doubledBreakdowns, futureRows, example }: SegmentCounts): void {
    this.#testedCount += testedBreakdowns;
    this.#balancedBreakdownCount += balancedBreakdowns;
    this.#doubledCount += doubledBreakdowns;
    this.#futureRowCount += futureRows;
    this.#example ??= example;
  }

  getCounts(): SegmentCounts {
    return {
      testedBreakdowns: this.#testedCount,
      balancedBreakdowns: this.#balancedBreakdownCount,
      doubledBreakdowns: this.#doubledCount,
      futureRows: this.#futureRowCount,
      example: this.#example,
    };
  }

  makeChecks(): Check[] {
    const example = this.#example === null ? '' : `, such as ${this.#example}`;
    return [
      {
        name: 'segments',
        passed: this.#doubledCount <= this.#testedCount * MAX_DOUBLED_FRACTION && this.#futureRowCount === 0,
        detail: `${this.#balancedBreakdownCount} of ${this.#testedCount} breakdowns of revenue by region or product add up to total revenue; ${this.#doubledCount} exceed total revenue by more than half${example}; ${this.#futureRowCount} figures have dates after the date of the release`,
      },
    ];
  }
}
