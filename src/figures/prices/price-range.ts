/** Which days of prices a request covers. */

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

export interface RangeRequest {
  /** One of 1m, 3m, 6m, 1y, 2y, 5y, max; not together with a day. */
  readonly range: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

const MONTHS: Readonly<Record<string, number>> = { '1m': 1, '3m': 3, '6m': 6, '1y': 12, '2y': 24, '5y': 60 };
const DEFAULT_MONTHS = 12;

/**
 * Back from today, the release's date; a year by default. `max` begins with the first price. With only the end, the
 * year before it.
 */
export function dayRange({ range, from, to }: RangeRequest, today: string, firstDay: string | null): DayRange {
  const end = to ?? today;
  if (range === 'max') return { from: firstDay ?? end, to: end };
  return { from: from ?? monthsBefore(end, MONTHS[range ?? ''] ?? DEFAULT_MONTHS), to: end };
}

/** The same day of an earlier month, or the last that the month has. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date, last));
  return first.toISOString().slice(0, 10);
}
