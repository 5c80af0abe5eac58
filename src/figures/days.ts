/** Days as text (YYYY-MM-DD) and the distance between them. No zone is ever applied. */

const MS_PER_DAY = 86_400_000;

/** Days since 1970-01-01. */
export function dayNumber(day: string): number {
  return Date.UTC(digits(day, 0, 4), digits(day, 5, 7) - 1, digits(day, 8, 10)) / MS_PER_DAY;
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
