/** What fiscal years are called: as the company's reports name them, as long as no two bear one name. */
import { dayOfNumber } from '../../platform/dates.ts';

/** What a periodic report says of its own period. Days are numbers. */
export interface OwnPeriod {
  readonly end: number;
  readonly filed: string;
  readonly annual: boolean;
  readonly focusYear: number | null;
}

/** A year that ends in the first week of January is the year before, by the calendar. */
const WEEK = 7;

/** Names years: as filed, by the habit of the nearest year named as filed, or by the calendar. */
export function yearLabels(
  yearEnds: readonly number[],
  own: ReadonlyMap<string, OwnPeriod>,
): (yearEnd: number) => number {
  const habits = new Map<number, number>();
  // The first to speak of a year is its own report; a later one may speak of it alone.
  const inOrder = [...own.values()].sort((a, b) => (a.filed < b.filed ? -1 : 1));
  for (const period of inOrder) {
    if (!period.annual || period.focusYear === null || habits.has(period.end)) continue;
    const habit = period.focusYear - calendarYear(period.end);
    // More than a year off is a slip of the pen.
    if (Math.abs(habit) <= 1) habits.set(period.end, habit);
  }
  withoutClashes(habits);
  const named = [...habits.keys()].sort((a, b) => a - b);
  const cache = new Map<number, number>();
  for (const end of yearEnds) cache.set(end, calendarYear(end) + habitOf(end));
  function habitOf(end: number): number {
    let best: number | null = null;
    for (const day of named) if (best === null || Math.abs(day - end) < Math.abs(best - end)) best = day;
    return best === null ? 0 : (habits.get(best) ?? 0);
  }
  return (yearEnd) => cache.get(yearEnd) ?? calendarYear(yearEnd) + habitOf(yearEnd);
}

/**
 * Two years cannot share a name: where they would, the company's usual habit decides for both. That may make
 * them clash with their neighbours, so it goes on until none do.
 */
function withoutClashes(habits: Map<number, number>): void {
  const usual = usualOf([...habits.values()]);
  for (let round = 0; round < habits.size; round++) {
    const names = new Map<number, number[]>();
    for (const [end, habit] of habits) {
      const name = calendarYear(end) + habit;
      names.set(name, [...(names.get(name) ?? []), end]);
    }
    const clashes = [...names.values()].filter((ends) => Math.max(...ends) - Math.min(...ends) >= 300).flat();
    const unusual = clashes.filter((end) => habits.get(end) !== usual);
    if (unusual.length === 0) return;
    for (const end of unusual) habits.set(end, usual);
  }
}

/** The most frequent; of equals, the one nearest to the calendar. */
function usualOf(habits: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const habit of habits) counts.set(habit, (counts.get(habit) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0]));
  return usual?.[0] ?? 0;
}

/** The year in which a fiscal year ends; one that ends in the first week of January belongs to the year before. */
function calendarYear(day: number): number {
  return Number(dayOfNumber(day - WEEK).slice(0, 4));
}
