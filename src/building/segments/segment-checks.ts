import { add, isNearlyEqual } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Check } from '../../store/releases/manifest.ts';
import type { SegmentRow } from '../../store/schema/segments.ts';
import { addCounts } from '../tasks/reading.ts';

/** The counts for a company without reports. */
export const NO_SEGMENT_COUNTS = {
  testedBreakdowns: 0,
  /** Number of breakdowns whose members add up to total revenue. */
  balancedBreakdowns: 0,
  /** Number of breakdowns whose members exceed total revenue by more than half. */
  doubledBreakdowns: 0,
  /** Number of rows with a filing date or period end after the release's date. */
  futureRows: 0,
  /** A breakdown counted in `doubledBreakdowns`, as text; null if that count is 0. */
  example: null as string | null,
};

/** Counts from the checks of breakdowns of revenue by region or product. Each period of a company counts separately. */
export type SegmentCounts = Readonly<typeof NO_SEGMENT_COUNTS>;

/**
 * Fraction of total revenue by which the sum over regions or products may exceed the total. A higher sum must include
 * subtotals, because regions and products do not sell to each other.
 */
const SUBTOTAL_TOLERANCE: Decimal = '0.5';
/** Maximum fraction of breakdowns that count revenue twice: some filers use unusual tags. */
const MAX_DOUBLED_FRACTION = 0.05;

/** The row with total revenue of a period, and the rows of its breakdown that count toward it or toward another row. */
interface Breakdown {
  readonly totalRow: SegmentRow;
  readonly total: Decimal;
  readonly rows: SegmentRow[];
}

/**
 * Checks the segments of a company.
 * @param rows sorted as in the table
 */
export function countSegments(cik: number, rows: readonly SegmentRow[], date: string): SegmentCounts {
  let counts: SegmentCounts = NO_SEGMENT_COUNTS;
  let breakdown: Breakdown | null = null;
  const finish = () => {
    if (breakdown !== null) counts = addCounts(counts, countBreakdown(cik, breakdown));
  };
  for (const row of rows) {
    if (row.member === null) {
      finish();
      const { measure, value: total } = row;
      breakdown = measure === 'revenue' && total !== null ? { totalRow: row, total, rows: [] } : null;
    } else if (breakdown !== null && row.role !== 'not_added') breakdown.rows.push(row);
  }
  finish();
  return { ...counts, futureRows: rows.filter(({ end, filed }) => end > date || filed > date).length };
}

function countBreakdown(cik: number, { totalRow, total, rows }: Breakdown): Partial<SegmentCounts> {
  const { axis, end, unit } = totalRow;
  const names = new Set(rows.map(({ member }) => member));
  const sum = rows.reduce((sum, { parent, value }) => (names.has(parent) ? sum : add(sum, value ?? '0')), '0');
  if (axis === 'segment' || compareDecimals(total, '0') <= 0) return {};
  if (isNearlyEqual(sum, total, '0.005')) return { testedBreakdowns: 1, balancedBreakdowns: 1 };
  const isDoubled = compareDecimals(sum, total) > 0 && !isNearlyEqual(sum, total, SUBTOTAL_TOLERANCE);
  if (!isDoubled) return { testedBreakdowns: 1 };
  return { testedBreakdowns: 1, doubledBreakdowns: 1, example: `CIK ${cik}, ${axis}, ${end} (${unit})` };
}

/** Checks the segments of all companies before publication. */
export function checkSegments(counts: SegmentCounts): Check {
  const { testedBreakdowns: tested, balancedBreakdowns: balanced, doubledBreakdowns: doubled, futureRows } = counts;
  const example = counts.example === null ? '' : `, such as ${counts.example}`;
  return {
    name: 'segments',
    passed: doubled <= tested * MAX_DOUBLED_FRACTION && futureRows === 0,
    detail: `${balanced} of ${tested} breakdowns of revenue by region or product add up to total revenue; ${doubled} exceed total revenue by more than half${example}; ${futureRows} figures have dates after the date of the release`,
  };
}
