/** The latest twelve months of a flow: a fiscal year, four quarters on end, or a year carried forward by a year to date. */

import { add, subtract } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { daysBetween } from '../../platform/dates.ts';
import { isYearApart } from '../metrics/annual-snapshot.ts';
import type { Figure } from '../metrics/figure.ts';

export interface TwelveMonths {
  readonly end: string;
  readonly value: Decimal;
}

/** Quarters follow on one another to the day, but for filers who date them by the week. */
const LARGEST_GAP = 7;

/** `figures` are of one metric and unit. The window that ends last; of two that end together, the one with fewer sums. */
export function latestTwelveMonths(figures: readonly Figure[]): TwelveMonths | null {
  const windows = [fiscalYear(figures), carriedForward(figures), fourQuarters(figures)];
  let latest: TwelveMonths | null = null;
  for (const window of windows) if (window !== null && (latest === null || window.end > latest.end)) latest = window;
  return latest;
}

function fiscalYear(figures: readonly Figure[]): TwelveMonths | null {
  return lastOf(figures, (figure) => figure.periodKind === 'annual');
}

function fourQuarters(figures: readonly Figure[]): TwelveMonths | null {
  const quarters = figures.filter((figure) => figure.periodKind === 'quarter').sort((a, b) => (a.end < b.end ? 1 : -1));
  const [last] = quarters;
  if (last === undefined) return null;
  let value = last.value;
  let current = last;
  for (let count = 1; count < 4; count++) {
    const before = quarters.find((quarter) => follows(quarter, current));
    if (before === undefined) return null;
    value = add(value, before.value);
    current = before;
  }
  return { end: last.end, value };
}

function follows(earlier: Figure, later: Figure): boolean {
  if (later.start === null || earlier.end >= later.end) return false;
  return Math.abs(daysBetween(earlier.end, later.start) - 1) <= LARGEST_GAP;
}

/** The year, plus this year's months, less the same months of the year before. */
function carriedForward(figures: readonly Figure[]): TwelveMonths | null {
  const year = lastOf(figures, (figure) => figure.periodKind === 'annual');
  if (year === null) return null;
  const current = lastOf(figures, (figure) => isYearToDate(figure) && follows(year, figure));
  if (current === null) return null;
  const before = figures.find(
    (figure) =>
      figure.periodKind === current.periodKind && isYearApart(figure.end, current.end) && figure.start === year.start,
  );
  if (before === undefined) return null;
  return { end: current.end, value: subtract(add(year.value, current.value), before.value) };
}

function isYearToDate(figure: Figure): boolean {
  return figure.periodKind === 'quarter' || figure.periodKind === 'half' || figure.periodKind === 'nine_month';
}

function lastOf(figures: readonly Figure[], fits: (figure: Figure) => boolean): Figure | null {
  let last: Figure | null = null;
  for (const figure of figures) if (fits(figure) && (last === null || figure.end > last.end)) last = figure;
  return last;
}
