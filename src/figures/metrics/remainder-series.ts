/** Remainders over time: a quarter's remainder has the lines that its year's has, and four make up the year's. */
import { sum } from '../../contract/decimal.ts';
import { addDays } from '../../platform/dates.ts';
import { areRounded } from '../periods/quarters.ts';
import type { Figure } from './figure.ts';

/** A remainder, and the optional lines that are subtracted or added in its period. */
export interface RemainderOf {
  readonly figure: Figure;
  readonly lines: string;
}

/** Filers that date periods by the week are a few days off. */
const SAME_DAYS = 7;
const QUARTERS = 4;

/**
 * The remainders that can stand in one row: those of years, and of quarters and twelve months those with the lines of their
 * year that add up to it. A line that only annual reports state makes another remainder of the quarters.
 */
export function comparableRemainders(remainders: readonly RemainderOf[]): Figure[] {
  const ofKind = (kind: Figure['periodKind']) => remainders.filter(({ figure }) => figure.periodKind === kind);
  const [years, windows] = [ofKind('annual'), ofKind('ttm')];
  const others = remainders.filter(({ figure }) => !['annual', 'quarter', 'ttm'].includes(figure.periodKind));
  const wrong = new Set<RemainderOf>();
  for (const year of years) {
    const own = ofKind('quarter').filter((quarter) => isWithin(quarter, year));
    const unlike = own.filter(({ lines }) => lines !== year.lines);
    for (const quarter of addsUp(year, own) ? unlike : own) wrong.add(quarter);
  }
  const quarters = ofKind('quarter').filter((quarter) => !wrong.has(quarter));
  const rightWindows = windows.filter((window) => {
    const year = lastOf(
      years.filter(({ figure }) => figure.end <= window.figure.end && figure.unit === window.figure.unit),
    );
    if (year !== null && year.lines !== window.lines) return false;
    return addsUp(
      window,
      quarters.filter((quarter) => isWithin(quarter, window)),
    );
  });
  return [...years, ...quarters, ...rightWindows, ...others].map(({ figure }) => figure);
}

function isWithin({ figure: part }: RemainderOf, { figure: whole }: RemainderOf): boolean {
  if (part.start === null || whole.start === null || part.unit !== whole.unit) return false;
  return part.end <= whole.end && part.start >= addDays(whole.start, -SAME_DAYS);
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
