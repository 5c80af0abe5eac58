import { add, nearlyEqual } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Check } from '../../store/manifest.ts';
import type { SegmentRow } from '../../store/schema/segments.ts';

/** Counts of some companies' breakdowns of revenue. */
export interface SegmentCounts {
  readonly tested: number;
  readonly whole: number;
  readonly doubled: number;
  readonly future: number;
  /** A breakdown that is counted twice; null if there is none. */
  readonly example: string | null;
}

/** The counts of a company without reports. */
export const NO_SEGMENTS: SegmentCounts = { tested: 0, whole: 0, doubled: 0, future: 0, example: null };

/**
 * Regions and products do not sell to each other. So if members add up to more than revenue by half, subtotals are
 * among them.
 */
const HALF: Decimal = '0.5';
/** Maximum share of doubled breakdowns: some filers tag them in their own ways. */
const DOUBLED_SHARE = 0.05;

/** A period's revenue, and the sum of its members. */
interface Column {
  readonly total: string;
  sum: string;
}

/** Checks breakdowns before they are published. */
export class SegmentChecks {
  #tested = 0;
  #whole = 0;
  #doubled = 0;
  #future = 0;
  #example: string | null = null;

  /** @param rows one company's, in the order of the table */
  add(cik: number, rows: readonly SegmentRow[], date: string): void {
    let column: Column | null = null;
    let first: SegmentRow | null = null;
    const close = () => {
      if (column !== null && first !== null) this.#judge(cik, first, column);
    };
    for (const row of rows) {
      if (row.end > date || row.filed > date) this.#future += 1;
      if (row.member === null) {
        close();
        first = row;
        column = row.measure === 'revenue' && row.value !== null ? { total: row.value, sum: '0' } : null;
      } else if (column !== null && row.value !== null) column.sum = add(column.sum, row.value);
    }
    close();
  }

  #judge(cik: number, { axis, end, unit }: SegmentRow, { total, sum }: Column): void {
    if (axis === 'segment' || compareDecimals(total, '0') <= 0) return;
    this.#tested += 1;
    if (nearlyEqual(sum, total, '0.005')) this.#whole += 1;
    else if (compareDecimals(sum, total) > 0 && !nearlyEqual(sum, total, HALF)) {
      this.#doubled += 1;
      this.#example ??= `CIK ${cik}, ${axis}, ${end} (${unit})`;
    }
  }

  /** Adds the counts of another task. */
  addAll({ tested, whole, doubled, future, example }: SegmentCounts): void {
    this.#tested += tested;
    this.#whole += whole;
    this.#doubled += doubled;
    this.#future += future;
    this.#example ??= example;
  }

  counts(): SegmentCounts {
    const [tested, whole, doubled, future] = [this.#tested, this.#whole, this.#doubled, this.#future];
    return { tested, whole, doubled, future, example: this.#example };
  }

  checks(): Check[] {
    const example = this.#example === null ? '' : `, such as ${this.#example}`;
    return [
      {
        name: 'segments',
        passed: this.#doubled <= this.#tested * DOUBLED_SHARE && this.#future === 0,
        detail: `${this.#whole} of ${this.#tested} breakdowns of revenue by region or product add up to total revenue; ${this.#doubled} exceed it by more than half${example}; ${this.#future} figures have dates in the future`,
      },
    ];
  }
}
