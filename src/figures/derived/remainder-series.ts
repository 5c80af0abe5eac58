/**
 * Makes remainders comparable over time. A remainder is a total less those of its lines that are separate metrics. A
 * quarter's remainder excludes the same lines as the year's remainder, and the remainders of four quarters add up to
 * the remainder of the year.
 */
import { sum } from '../../contract/decimal.ts';
import { addDays } from '../../platform/dates.ts';
import { areEqualExceptRounding } from './derive-quarters.ts';
import type { Figure } from './figure.ts';
import { findFigureWithLatestEnd } from './fiscal-years.ts';

/**
 * A remainder, and the keys of the optional lines that were subtracted from or added to the total, separated by spaces.
 */
export interface Remainder {
  readonly figure: Figure;
  readonly lineKeys: string;
}

/** Maximum number of days by which the first quarter may start before its year, because of weekly calendars. */
const MAX_START_SHIFT_DAYS = 7;
const QUARTERS_PER_YEAR = 4;

/**
 * Returns the remainders of quarters and twelve months that exclude the same lines as the years' remainders, and whose
 * four quarters add up. For example, if only annual reports state a line, the quarters' remainders include its amount
 * and are omitted.
 */
export function selectComparableRemainders(years: readonly Remainder[], shorter: readonly Remainder[]): Figure[] {
  const select = (kind: Figure['periodKind']) => shorter.filter(({ figure }) => figure.periodKind === kind);
  const allQuarters = select('quarter');
  const excluded = new Set<Remainder>();
  for (const year of years) {
    const ofYear = allQuarters.filter((quarter) => isWithin(quarter, year));
    const quartersOfOtherLines = ofYear.filter(({ lineKeys }) => lineKeys !== year.lineKeys);
    for (const quarter of canBeSumOfQuarters(year, ofYear) ? quartersOfOtherLines : ofYear) excluded.add(quarter);
  }
  const quarters = allQuarters.filter((quarter) => !excluded.has(quarter));
  const windows = select('ttm').filter((window) => {
    const { unit, end } = window.figure;
    const earlierYears = years.filter(({ figure }) => figure.end <= end && figure.unit === unit);
    const latest = findFigureWithLatestEnd(earlierYears.map(({ figure }) => figure));
    if (earlierYears.some((year) => year.figure === latest && year.lineKeys !== window.lineKeys)) return false;
    const ofWindow = quarters.filter((quarter) => isWithin(quarter, window));
    return canBeSumOfQuarters(window, ofWindow);
  });
  return [...quarters, ...windows].map(({ figure }) => figure);
}

function isWithin({ figure: part }: Remainder, { figure: longer }: Remainder): boolean {
  if (part.start === null || longer.start === null || part.unit !== longer.unit) return false;
  return part.end <= longer.end && part.start >= addDays(longer.start, -MAX_START_SHIFT_DAYS);
}

function canBeSumOfQuarters({ figure }: Remainder, quarters: readonly Remainder[]): boolean {
  if (quarters.length !== QUARTERS_PER_YEAR) return true;
  const amounts = quarters.map((quarter) => quarter.figure.value);
  return areEqualExceptRounding(sum(amounts), figure.value, amounts);
}
