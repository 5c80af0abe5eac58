/** Calendar arithmetic on dates as text (YYYY-MM-DD), without time zones. */

import { findFirstIndex } from './collections.ts';

/** Number of days in 400 years, after which the Gregorian calendar repeats. */
const DAYS_PER_ERA = 146_097;
/** Number of days from March 1 of year 0 to 1970-01-01. */
const DAYS_BEFORE_1970 = 719_468;

/**
 * Returns the number of days since 1970-01-01. Called for every fact, and ten times faster than a Date. Counts in years
 * that begin in March, so that a leap day is the last day of its year.
 */
export function toDayNumber(day: string): number {
  const month = parseDigits(day, 5, 7);
  const yearFromMarch = parseDigits(day, 0, 4) - (month <= 2 ? 1 : 0);
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + parseDigits(day, 8, 10) - 1;
  const leapDays = Math.floor(yearFromMarch / 4) - Math.floor(yearFromMarch / 100) + Math.floor(yearFromMarch / 400);
  return yearFromMarch * 365 + leapDays + dayOfYear - DAYS_BEFORE_1970;
}

/** Returns the date that is `number` days after 1970-01-01; the inverse of `toDayNumber`. */
export function toDay(number: number): string {
  const daysSinceEraStart = number + DAYS_BEFORE_1970;
  const era = Math.floor(daysSinceEraStart / DAYS_PER_ERA);
  const dayOfEra = daysSinceEraStart - era * DAYS_PER_ERA;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

export const addDays = (day: string, days: number): string => toDay(toDayNumber(day) + days);

/** Returns the same day in another month, or that month's last day if the month is too short. */
export function addMonths(day: string, months: number): string {
  const targetMonth = parseDigits(day, 0, 4) * 12 + parseDigits(day, 5, 7) - 1 + months;
  const format = (month: number): string =>
    `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
  const lastDay = toDayNumber(format(targetMonth + 1)) - 1;
  return toDay(Math.min(toDayNumber(format(targetMonth)) + parseDigits(day, 8, 10) - 1, lastDay));
}

/** Returns the number of days from `from` to `to`; negative if `to` is earlier. */
export const countDaysBetween = (from: string, to: string): number => toDayNumber(to) - toDayNumber(from);

/** Returns the later of two days; null if both are null. */
export function pickLaterDay(day: string, otherDay: string | null): string;
export function pickLaterDay(day: string | null, otherDay: string | null): string | null;
export function pickLaterDay(day: string | null, other: string | null): string | null {
  if (day === null || other === null) return day ?? other;
  return day > other ? day : other;
}

/** Sets the day of a key, unless the map has an earlier day. */
export function setEarliestDay<K>(map: Map<K, string>, key: K, day: string): void {
  const existing = map.get(key);
  if (existing === undefined || day < existing) map.set(key, day);
}

/** Returns the last item whose day is at most `day`. The items must be sorted by day. */
export function findLastItemBy<T>(items: readonly T[], getDay: (item: T) => string, day: string): T | undefined {
  const isLater = (index: number) => getDay(items[index] as T) > day;
  return items[findFirstIndex(0, items.length, isLater) - 1];
}

function parseDigits(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index++) value = value * 10 + text.charCodeAt(index) - 48;
  return value;
}
