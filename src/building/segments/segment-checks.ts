import { add, nearlyEqual } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Check } from '../../store/manifest.ts';
import type { SegmentRow } from '../../store/schema/segments.ts';

/** Counts from the checks of companies' segments. A column is one breakdown of the revenue of one period. */
export interface SegmentCounts {
  readonly testedColumns: number;
  /** Number of columns whose members add up to total revenue. */
  readonly balancedColumns: number;
  /** Number of columns whose members exceed total revenue by more than half. */
  readonly doubledColumns: number;
  /** Number of rows with a filing date or period end after the release's date. */
  readonly futureRows: number;
  /** A breakdown in which revenue is counted twice, as text; null if all breakdowns are correct. */
  readonly example: string | null;
}

/** The counts for a company without reports. */
export const NO_SEGMENT_COUNTS: SegmentCounts = {
  testedColumns: 0,
  balancedColumns: 0,
  doubledColumns: 0,
  futureRows: 0,
  example: null,
};

/**
 * Regions and products do not sell to each other, so if their sum exceeds total revenue by half, the sum must include
 * subtotals.
 */
const SUBTOTAL_TOLERANCE: Decimal = '0.5';
/** Maximum share of breakdowns that count revenue twice: some filers use unusual tags. */
const MAX_DOUBLED_SHARE = 0.05;

/** Total revenue of a period, and the sum over the members of a breakdown. */
interface ColumnTotals {
  readonly total: string;
  sum: string;
}

/** Checks companies' segments before publication. */
export class SegmentChecks {
  #testedColumns = 0;
  #balancedColumns = 0;
  #doubledColumns = 0;
  #futureRows = 0;
  #example: string | null = null;

  /** @param rows the rows of one company, sorted as in the table */
  add(cik: number, rows: readonly SegmentRow[], date: string): void {
    let column: ColumnTotals | null = null;
    let firstRow: SegmentRow | null = null;
    const finishColumn = () => {
      if (column !== null && firstRow !== null) this.#countColumn(cik, firstRow, column);
    };
    for (const row of rows) {
      if (row.end > date || row.filed > date) this.#futureRows += 1;
      if (row.member === null) {
        finishColumn();
        firstRow = row;
        column = row.measure === 'revenue' && row.value !== null ? { total: row.value, sum: '0' } : null;
      } else if (column !== null && row.value !== null) column.sum = add(column.sum, row.value);
    }
    finishColumn();
  }

  #countColumn(cik: number, { axis, end, unit }: SegmentRow, { total, sum }: ColumnTotals): void {
    if (axis === 'segment' || compareDecimals(total, '0') <= 0) return;
    this.#testedColumns += 1;
    if (nearlyEqual(sum, total, '0.005')) this.#balancedColumns += 1;
    else if (compareDecimals(sum, total) > 0 && !nearlyEqual(sum, total, SUBTOTAL_TOLERANCE)) {
      this.#doubledColumns += 1;
      this.#example ??= `CIK ${cik}, ${axis}, ${end} (${unit})`;
    }
  }

  /** Adds the counts of another task. */
  addAll({ testedColumns, balancedColumns, doubledColumns, futureRows, example }: SegmentCounts): void {
    this.#testedColumns += testedColumns;
    this.#balancedColumns += balancedColumns;
    this.#doubledColumns += doubledColumns;
    this.#futureRows += futureRows;
    this.#example ??= example;
  }

  counts(): SegmentCounts {
    return {
      testedColumns: this.#testedColumns,
      balancedColumns: this.#balancedColumns,
      doubledColumns: this.#doubledColumns,
      futureRows: this.#futureRows,
      example: this.#example,
    };
  }

  checks(): Check[] {
    const example = this.#example === null ? '' : `, such as ${this.#example}`;
    return [
      {
        name: 'segments',
        passed: this.#doubledColumns <= this.#testedColumns * MAX_DOUBLED_SHARE && this.#futureRows === 0,
        detail: `${this.#balancedColumns} of ${this.#testedColumns} breakdowns of revenue by region or product add up to total revenue; ${this.#doubledColumns} exceed total revenue by more than half${example}; ${this.#futureRows} figures have dates in the future`,
      },
    ];
  }
}
