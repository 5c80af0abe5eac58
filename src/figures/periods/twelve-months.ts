/** The latest twelve months of a flow: a fiscal year, four quarters in a row, or a year updated by a year to date. */
import { daysBetween } from '../../platform/dates.ts';
import { combine, DERIVED_CONFIDENCE, type Figure, type FigureSubject } from '../metrics/figure.ts';
import { isYearApart, latestEnd } from './fiscal-years.ts';

/** Quarters follow on one another to the day, except where a filer dates them by the week. */
const LARGEST_GAP = 7;

/** The window that ends last; of those that end together the year, then four quarters. `figures` are of one metric and unit. */
export function latestTwelveMonths(figures: readonly Figure[]): Figure | null {
  const year = latestEnd(figures.filter(isAnnual));
  let latest = year;
  for (const window of [fourQuarters(figures), year === null ? null : updatedYear(year, figures)]) {
    if (window !== null && (latest === null || window.end > latest.end)) latest = window;
  }
  return latest;
}

function fourQuarters(figures: readonly Figure[]): Figure | null {
  const quarters = figures.filter(isQuarter).sort((a, b) => (a.end < b.end ? 1 : -1));
  const [last] = quarters;
  if (last === undefined) return null;
  const window = [last];
  let earliest = last;
  while (window.length < 4) {
    const later = earliest;
    const before = quarters.find((quarter) => isFollowedBy(quarter, later));
    if (before === undefined) return null;
    window.push(before);
    earliest = before;
  }
  return combine(spanOf(earliest, last), { plus: window, minus: [], atMost: DERIVED_CONFIDENCE.exact });
}

/** The year, plus this year's months to date, less the same months of the year before. */
function updatedYear(year: Figure, figures: readonly Figure[]): Figure | null {
  const toDate = latestEnd(figures.filter((figure) => isYearToDate(figure) && isFollowedBy(year, figure)));
  if (toDate === null) return null;
  const before = figures.find(
    (figure) =>
      figure.periodKind === toDate.periodKind && isYearApart(figure.end, toDate.end) && figure.start === year.start,
  );
  if (before === undefined) return null;
  return combine(spanOf(year, toDate), { plus: [year, toDate], minus: [before], atMost: DERIVED_CONFIDENCE.exact });
}

/** From the start of one to the end of the other; no fiscal period. */
function spanOf(first: Figure, last: Figure): FigureSubject {
  const { metricKey, unit, start } = first;
  return { metricKey, unit, start, end: last.end, periodKind: 'annual', fiscalYear: null, fiscalPeriod: null };
}

function isFollowedBy(earlier: Figure, later: Figure): boolean {
  if (later.start === null || earlier.end >= later.end) return false;
  return Math.abs(daysBetween(earlier.end, later.start) - 1) <= LARGEST_GAP;
}

function isAnnual({ periodKind }: Figure): boolean {
  return periodKind === 'annual';
}

function isQuarter({ periodKind }: Figure): boolean {
  return periodKind === 'quarter';
}

function isYearToDate({ periodKind }: Figure): boolean {
  return periodKind === 'quarter' || periodKind === 'half' || periodKind === 'nine_month';
}
