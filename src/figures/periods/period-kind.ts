/** The kind of a figure's period, determined by its number of days (both ends inclusive). */
import { countDaysBetween } from '../../platform/dates.ts';

export type PeriodKind = 'instant' | 'quarter' | 'half' | 'nine_month' | 'annual';

/**
 * Kinds of period including `ttm`, which is always derived, because filings report twelve months only as fiscal years.
 */
export type FigurePeriodKind = PeriodKind | 'ttm';

interface LengthRange {
  readonly kind: PeriodKind;
  readonly minDays: number;
  readonly maxDays: number;
}

/** Ranges in days for quarters of 12 to 14 weeks, years of 52 or 53 weeks, and the corresponding calendar months. */
const LENGTH_RANGES: readonly LengthRange[] = [
  { kind: 'quarter', minDays: 75, maxDays: 105 },
  // Some retailers have quarters of 12, 12, 12 and 16 or 17 weeks; four calendar months have 120 to 123 days.
  { kind: 'quarter', minDays: 112, maxDays: 112 },
  { kind: 'quarter', minDays: 119, maxDays: 119 },
  { kind: 'half', minDays: 160, maxDays: 205 },
  { kind: 'nine_month', minDays: 250, maxDays: 295 },
  { kind: 'annual', minDays: 340, maxDays: 385 },
];

/**
 * Returns the kind of period; null if the duration does not match any kind. A fact without a kind, for example of one
 * month, is not a value of any metric.
 */
export const detectPeriodKind = (start: string | null, end: string): PeriodKind | null =>
  start === null ? 'instant' : detectKindOfLength(countDaysBetween(start, end) + 1);

/** Returns the kind of a period with this number of days; null if no kind of fiscal period has this length. */
export function detectKindOfLength(days: number): PeriodKind | null {
  for (const range of LENGTH_RANGES) if (days >= range.minDays && days <= range.maxDays) return range.kind;
  return null;
}

/**
 * Whether the dates may belong to the quarter that remains of a longer period after subtracting its other parts. Such a
 * quarter may be longer than a reported quarter.
 */
export function isQuarterLength(start: string, end: string): boolean {
  const length = countDaysBetween(start, end) + 1;
  return length >= 75 && length <= 125;
}

/** Whether `later` is one year after `earlier`, by calendar or by weeks. */
export function areYearsApart(earlier: string, later: string): boolean {
  const days = countDaysBetween(earlier, later);
  return days >= 350 && days <= 380;
}
