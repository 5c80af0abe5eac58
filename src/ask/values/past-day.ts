/** Parses past days as users write them: `yesterday`, `5d`, `20260817`. */
import { Failure } from '../../contract/failure.ts';
import { isDay } from '../../contract/identifiers.ts';
import { quote } from '../../contract/text/quote.ts';
import { option, say } from '../../contract/text/text.ts';
import { addDays, addMonths } from '../../platform/dates.ts';

export const DAYS_HINT =
  'Write a date as 2026-08-17, 20260817, today or yesterday, or as a number of days, weeks, months or years ago: 5d, 2w, 3m, 1y.';

const TIME_AGO_PATTERN = /^(\d{1,4})([dwmy])$/i;
const COMPACT_DATE_PATTERN = /^(\d{4})(\d{2})(\d{2})$/;
const UNPADDED_DATE_PATTERN = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

/**
 * Returns the day as YYYY-MM-DD, without checking that the date exists; returns any other text unchanged, so that the
 * contract rejects it.
 * @param readToday the day from which `5d` counts back; by default the date in New York, by which EDGAR dates filings
 */
export function readPastDay(text: string, readToday = readDayInNewYork): string {
  const word = text.trim().toLowerCase();
  if (word === 'today') return readToday();
  if (word === 'yesterday') return addDays(readToday(), -1);
  const [, count, unit] = TIME_AGO_PATTERN.exec(word) ?? [];
  if (count !== undefined && unit !== undefined) return computePastDay(Number(count), unit, readToday());
  const [, year, month, day] = COMPACT_DATE_PATTERN.exec(word) ?? UNPADDED_DATE_PATTERN.exec(word) ?? [];
  if (year === undefined || month === undefined || day === undefined) return text;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Returns the day of `--since`, as `readPastDay` reads it. Throws a usage Failure for anything but a day. */
export function readSinceDay(text: string, readToday?: () => string): string {
  const day = readPastDay(text, readToday);
  if (isDay(day)) return day;
  throw new Failure('usage', say`${option('since')} ${quote(text)} is not a valid date.`, { hint: DAYS_HINT });
}

function computePastDay(count: number, unit: string, today: string): string {
  if (unit === 'd' || unit === 'w') return addDays(today, unit === 'd' ? -count : -7 * count);
  // Limits the number of months, so that the result is not before year 1. The contract rejects so early a date.
  const months = Math.min(unit === 'm' ? count : 12 * count, 12 * (Number(today.slice(0, 4)) - 1));
  return addMonths(today, -months);
}

const readDayInNewYork = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
