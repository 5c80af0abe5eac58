/** Which stretch of time a figure covers, by the length of its dates (both ends inclusive). */
import { daysBetween } from '../../platform/dates.ts';

export type PeriodKind = 'instant' | 'quarter' | 'half' | 'nine_month' | 'annual';

interface Span {
  readonly kind: PeriodKind;
  readonly from: number;
  readonly to: number;
}

/** 12, 13 and 14 week quarters, 52 and 53 week years, and what calendars make of them. */
const SPANS: readonly Span[] = [
  { kind: 'quarter', from: 75, to: 105 },
  // Retailers with quarters of 12, 12, 12 and 16 or 17 weeks; four calendar months are 120 to 123 days.
  { kind: 'quarter', from: 112, to: 112 },
  { kind: 'quarter', from: 119, to: 119 },
  { kind: 'half', from: 160, to: 205 },
  { kind: 'nine_month', from: 250, to: 295 },
  { kind: 'annual', from: 340, to: 385 },
];

/** Null when the length is none of a fiscal calendar's: such a fact is no metric's value. */
export function periodKind(start: string | null, end: string): PeriodKind | null {
  return start === null ? 'instant' : kindOfLength(daysBetween(start, end) + 1);
}

/** The kind of a period of so many days. */
export function kindOfLength(days: number): PeriodKind | null {
  for (const span of SPANS) if (days >= span.from && days <= span.to) return span.kind;
  return null;
}

/** Days that a quarter may have when it is what a year leaves after its other quarters. */
export function isQuarterLength(start: string, end: string): boolean {
  const days = daysBetween(start, end) + 1;
  return days >= 75 && days <= 125;
}
