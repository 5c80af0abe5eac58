/** The kind of a figure's period, by the number of its days (both ends inclusive). */
import { daysBetween } from '../../platform/dates.ts';

export type PeriodKind = 'instant' | 'quarter' | 'half' | 'nine_month' | 'annual';

/** Filings report trailing twelve months only as a year. */
export type FigurePeriodKind = PeriodKind | 'ttm';

interface LengthRange {
  readonly kind: PeriodKind;
  readonly from: number;
  readonly to: number;
}

/** Quarters of 12 to 14 weeks, years of 52 or 53 weeks, and the corresponding calendar months. */
const LENGTH_RANGES: readonly LengthRange[] = [
  { kind: 'quarter', from: 75, to: 105 },
  // Retailers have quarters of 12, 12, 12 and 16 or 17 weeks; four calendar months have 120 to 123 days.
  { kind: 'quarter', from: 112, to: 112 },
  { kind: 'quarter', from: 119, to: 119 },
  { kind: 'half', from: 160, to: 205 },
  { kind: 'nine_month', from: 250, to: 295 },
  { kind: 'annual', from: 340, to: 385 },
];

/** Null for a length that is not a fiscal period: such a fact is not a value of a metric. */
export function periodKind(start: string | null, end: string): PeriodKind | null {
  return start === null ? 'instant' : kindOfLength(daysBetween(start, end) + 1);
}

/** The kind of a period of a number of days. */
export function kindOfLength(days: number): PeriodKind | null {
  for (const lengthRange of LENGTH_RANGES)
    if (days >= lengthRange.from && days <= lengthRange.to) return lengthRange.kind;
  return null;
}

/** Whether dates can be the remaining quarter of a year after its other quarters. */
export function isQuarterLength(start: string, end: string): boolean {
  const days = daysBetween(start, end) + 1;
  return days >= 75 && days <= 125;
}

/** Whether one period ends a year before another, or a number of years, by the calendar or in weeks. */
export function isYearApart(earlierEnd: string, laterEnd: string, years = 1): boolean {
  const days = daysBetween(earlierEnd, laterEnd) - 365 * (years - 1);
  return days >= 350 && days <= 380;
}
