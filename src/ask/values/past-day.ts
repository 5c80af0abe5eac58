/** Reads past days as people type them: `yesterday`, `5d`, `20260817`. */
import { addDays, addMonths } from '../../platform/dates.ts';

export const DAYS_HINT = 'Write a date as 2026-08-17, 20260817, today or yesterday, or as a time ago: 5d, 2w, 3m, 1y.';

const PAST_PATTERN = /^(\d{1,4})([dwmy])$/i;
const COMPACT_PATTERN = /^(\d{4})(\d{2})(\d{2})$/;
const LOOSE_PATTERN = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

/**
 * Returns the day as YYYY-MM-DD; any other text unchanged, for the contract to reject. Does not check that the date
 * is valid.
 * @param today the day from which a length of time is counted back; default: the day in New York, where filings are
 * dated
 */
export function readPastDay(text: string, today = dayInNewYork): string {
  const word = text.trim().toLowerCase();
  if (word === 'today') return today();
  if (word === 'yesterday') return addDays(today(), -1);
  const [, count, unit] = PAST_PATTERN.exec(word) ?? [];
  if (count !== undefined && unit !== undefined) return daysAgo(Number(count), unit, today());
  const [, year, month, day] = COMPACT_PATTERN.exec(word) ?? LOOSE_PATTERN.exec(word) ?? [];
  if (year === undefined || month === undefined || day === undefined) return text;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function daysAgo(count: number, unit: string, today: string): string {
  if (unit === 'd' || unit === 'w') return addDays(today, unit === 'd' ? -count : -7 * count);
  // There are no days before the year 1; the contract rejects the remaining text.
  const months = Math.min(unit === 'm' ? count : 12 * count, 12 * (Number(today.slice(0, 4)) - 1));
  return addMonths(today, -months);
}

function dayInNewYork(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
}
