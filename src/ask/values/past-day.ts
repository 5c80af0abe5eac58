/** Days as people type them where a past day is meant: `yesterday`, `5d`, `20260817`. */
import { addDays, addMonths } from '../../platform/dates.ts';

export const DAYS_HINT = 'Write a day as 2026-08-17, 20260817, today or yesterday, or how long ago: 5d, 2w, 3m, 1y.';

const PAST = /^(\d{1,4})([dwmy])$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const LOOSE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

/**
 * The day as YYYY-MM-DD; any other text as it is, for the contract to refuse. Whether a day is of the calendar is not
 * asked here.
 * @param today what a length of time is counted back from; by default the day in New York, as filings are dated
 */
export function readPastDay(text: string, today = dayInNewYork): string {
  const word = text.trim().toLowerCase();
  if (word === 'today') return today();
  if (word === 'yesterday') return addDays(today(), -1);
  const [, count, unit] = PAST.exec(word) ?? [];
  if (count !== undefined && unit !== undefined) return daysAgo(Number(count), unit, today());
  const [, year, month, day] = COMPACT.exec(word) ?? LOOSE.exec(word) ?? [];
  if (year === undefined || month === undefined || day === undefined) return text;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function daysAgo(count: number, unit: string, today: string): string {
  if (unit === 'd' || unit === 'w') return addDays(today, unit === 'd' ? -count : -7 * count);
  // Before the year 1 there is no day; the contract refuses what is left of one.
  const months = Math.min(unit === 'm' ? count : 12 * count, 12 * (Number(today.slice(0, 4)) - 1));
  return addMonths(today, -months);
}

function dayInNewYork(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
}
