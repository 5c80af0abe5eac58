/** Remainders over time: a quarter's remainder has the lines that its year's has, and four make up the year's. */
import { sum } from '../../contract/decimal.ts';
import { addDays } from '../../platform/dates.ts';
import type { Figure } from './figure.ts';
import { areRounded } from './quarters.ts';

/** A remainder, and the optional lines that are subtracted or added in its period. */
export interface RemainderOf {
  readonly figure: Figure;
  readonly lines: string;
}

/** Filers that date periods by the week are a few days off. */
const SAME_DAYS = 7;
const QUARTERS = 4;

/**
 * Returns the remainders of quarters and twelve months that are comparable with those of years: they have the lines of their
 * year and add up to it. A line that only annual reports state makes another remainder of the quarters.
 */
export function comparableRemainders(years: readonly RemainderOf[], parts: readonly RemainderOf[]): Figure[] {
  const ofKind = (kind: Figure['periodKind']) => parts.filter(({ figure }) => figure.periodKind === kind);
  const allQuarters = ofKind('quarter');
  const wrong = new Set<RemainderOf>();
  for (const year of years) {
    const ownQuarters = allQuarters.filter((quarter) => isWithin(quarter, year));
    const unlike = ownQuarters.filter(({ lines }) => lines !== year.lines);
    for (const quarter of addsUp(year, ownQuarters) ? unlike : ownQuarters) wrong.add(quarter);
  }
  const quarters = allQuarters.filter((quarter) => !wrong.has(quarter));
  const windows = ofKind('ttm').filter((window) => {
    const { unit, end } = window.figure;
    const year = lastOf(years.filter(({ figure }) => figure.end <= end && figure.unit === unit));
    if (year !== null && year.lines !== window.lines) return false;
    return addsUp(
      window,
      quarters.filter((quarter) => isWithin(quarter, window)),
    );
  });
  return [...quarters, ...windows].map(({ figure }) => figure);
}

function isWithin({ figure: part }: RemainderOf, { figure: wholeFigure }: RemainderOf): boolean {
  if (part.start === null || wholeFigure.start === null || part.unit !== wholeFigure.unit) return false;
  return part.end <= wholeFigure.end && part.start >= addDays(wholeFigure.start, -SAME_DAYS);
}

function addsUp({ figure }: RemainderOf, quarters: readonly RemainderOf[]): boolean {
  if (quarters.length !== QUARTERS) return true;
  const amounts = quarters.map((quarter) => quarter.figure.value);
  return areRounded(sum(amounts), figure.value, amounts);
}

function lastOf(years: readonly RemainderOf[]): RemainderOf | null {
  return years.reduce<RemainderOf | null>(
    (last, year) => (last === null || year.figure.end > last.figure.end ? year : last),
    null,
  );
}
