/**
 * The names of fiscal years.
 *
 * A year is named as its annual report names it. Other years follow the habit of the nearest named one (retailers
 * name a year that ends in January after the year before), and without any the calendar year in which they end.
 */

import { dayOfNumber } from '../../platform/dates.ts';
import { pushTo } from '../groups.ts';

/** A periodic report's own period. Days are numbers. */
export interface OwnPeriod {
  readonly end: number;
  readonly filed: string;
  readonly annual: boolean;
  readonly focusYear: number | null;
}

/** A year that ends in the first week of January is the year before, by the calendar. */
const WEEK = 7;

/** The name of the fiscal year that ends on a day. */
export function yearLabels(
  yearEnds: readonly number[],
  own: ReadonlyMap<string, OwnPeriod>,
): (yearEnd: number) => number {
  const habits = new Map<number, number>();
  // The first report of a year is its own; a later one may be of it too.
  const inOrder = [...own.values()].sort((a, b) => (a.filed < b.filed ? -1 : 1));
  for (const period of inOrder) {
    if (!period.annual || period.focusYear === null || habits.has(period.end)) continue;
    const habit = period.focusYear - calendarYear(period.end);
    // More than a year off is a mistake.
    if (Math.abs(habit) <= 1) habits.set(period.end, habit);
  }
  withoutClashes(habits);
  const named = [...habits].sort(([a], [b]) => a - b);
  const cache = new Map<number, number>();
  for (const end of yearEnds) cache.set(end, calendarYear(end) + habitOf(end));
  function habitOf(end: number): number {
    let best: { readonly day: number; readonly habit: number } | null = null;
    for (const [day, habit] of named) {
      if (best === null || Math.abs(day - end) < Math.abs(best.day - end)) best = { day, habit };
    }
    return best?.habit ?? 0;
  }
  return (yearEnd) => cache.get(yearEnd) ?? calendarYear(yearEnd) + habitOf(yearEnd);
}

/**
 * Gives years that share a name the company's usual habit, until no two do: each change may clash with a neighbour.
 */
function withoutClashes(habits: Map<number, number>): void {
  const usual = usualOf([...habits.values()]);
  for (let round = 0; round < habits.size; round++) {
    const names = new Map<number, number[]>();
    for (const [end, habit] of habits) {
      const name = calendarYear(end) + habit;
      pushTo(names, name, end);
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
