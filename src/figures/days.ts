/** Days as text (YYYY-MM-DD) and the distance between them. No zone is ever applied. */

const MS_PER_DAY = 86_400_000;
/** From the first of March of the year 0. */
const DAYS_BEFORE_1970 = 719_468;

/** Days since 1970-01-01. By the civil calendar's own arithmetic, with March first: a Date is ten times slower, and this is asked for every fact. */
export function dayNumber(day: string): number {
  const month = digits(day, 5, 7);
  const year = digits(day, 0, 4) - (month <= 2 ? 1 : 0);
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + digits(day, 8, 10) - 1;
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return year * 365 + leapDays + dayOfYear - DAYS_BEFORE_1970;
}

export function dayFrom(number: number): string {
  return new Date(number * MS_PER_DAY).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return dayFrom(dayNumber(day) + days);
}

/** How many days `to` lies after `from`; negative when before. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index++) value = value * 10 + text.charCodeAt(index) - 48;
  return value;
}
