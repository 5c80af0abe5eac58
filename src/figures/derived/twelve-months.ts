/** Derives a flow over twelve months: a fiscal year, four consecutive quarters, or a year updated by a year to date. */

import { sum } from '../../contract/decimal.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { isAdditive, isOneDirectional } from '../metrics/metric-rules.ts';
import { isSameBoundary } from '../periods/align-periods.ts';
import { areYearsApart } from '../periods/period-kind.ts';
import { isRecastSince, type PriorYearLookup } from '../revisions/recast.ts';
import { groupByMetricAndUnit } from '../revisions/revision-chain.ts';
import { areEqualExceptRounding, type MetricCutoff } from './derive-quarters.ts';
import { DERIVED_CONFIDENCE, type Figure, type FigureSubject, sumFiguresOnOneBasis } from './figure.ts';
import { isEarningsPerShare, type ShareBasisCheck } from './quarterly-eps.ts';

/** Maximum gap in days between consecutive quarters: weekly calendars shift the ends of quarters. */
const MAX_GAP_DAYS = 7;

/**
 * Returns the flow over the latest twelve months; null if no such flow that ends on the day or later can be derived.
 * @param figures figures of one metric and unit
 */
export const findLatestTwelveMonths = (figures: readonly Figure[], since: string): Figure | null =>
  findWindows(figures, since).next().value ?? null;

/**
 * Returns the twelve months up to each end of a year, quarter or year to date, for the metrics whose values add up over
 * time, and earnings per share up to each end of a year or quarter. If `cutoff` is set, omits twelve months of the
 * cutoff's metric that end before the cutoff's day.
 */
export function deriveTrailingTwelveMonths(
  figures: readonly Figure[],
  cutoff: MetricCutoff | null,
  haveOneShareBasis: ShareBasisCheck,
): Figure[] {
  const flows = figures.filter(({ metricKey }) => isAdditive(metricKey) || isEarningsPerShare(metricKey));
  return groupByMetricAndUnit(flows).flatMap((series) => {
    const windows: Figure[] = [];
    const isPerShare = isEarningsPerShare(series[0]?.metricKey ?? '');
    for (const window of isPerShare ? findEpsWindows(series, haveOneShareBasis) : findWindows(series)) {
      if (window.metricKey === cutoff?.metricKey && window.end < cutoff.earliestEnd) break;
      windows.push(window);
    }
    return windows;
  });
}

/**
 * Yields windows of twelve months, latest first. For one end, a year is preferred to four quarters, and four quarters
 * to an updated year.
 */
function* findWindows(figures: readonly Figure[], since = ''): Generator<Figure, undefined> {
  const years = figures.filter(isAnnual);
  const quarters = figures.filter(isQuarter).sort((a, b) => (a.end < b.end ? 1 : -1));
  const yearsToDate = figures.filter(isYearToDate);
  const ends = new Set<string>();
  for (const { end } of [...years, ...yearsToDate]) if (end >= since) ends.add(end);
  for (const end of [...ends].sort().reverse()) {
    const year = toTrailingYear(years.find((figure) => figure.end === end));
    const ofQuarters = year === null ? sumFourQuarters(end, quarters, figures) : null;
    const window = year ?? ofQuarters ?? rollYearForward(end, years, yearsToDate);
    if (window === null || !hasPossibleSign(window)) continue;
    if (window === ofQuarters || canBeSumOfQuarters(window, quarters)) yield window;
  }
}

/**
 * Yields the EPS of twelve months, latest first: the sum of four quarters that count the same shares, otherwise the EPS
 * of a fiscal year.
 */
function* findEpsWindows(figures: readonly Figure[], haveOneShareBasis: ShareBasisCheck): Generator<Figure, undefined> {
  const years = figures.filter(isAnnual);
  const quarters = figures.filter(isQuarter).sort((a, b) => (a.end < b.end ? 1 : -1));
  for (const end of [...new Set([...years, ...quarters].map((figure) => figure.end))].sort().reverse()) {
    const lastFour = findFourQuarters(end, quarters);
    const sum = lastFour !== null && haveOneShareBasis(lastFour) ? sumFourQuarters(end, quarters, figures) : null;
    const window = sum ?? toTrailingYear(years.find((year) => year.end === end));
    if (window !== null) yield window;
  }
}

/**
 * Whether the sign of the value is possible: costs and payments cannot be negative, but a year updated with restated
 * months may give a negative difference.
 */
const hasPossibleSign = ({ metricKey, value }: Figure): boolean =>
  !isOneDirectional(metricKey) || compareDecimals(value, '0') >= 0;

/** Returns a fiscal year as twelve months. */
function toTrailingYear(year: Figure | undefined): Figure | null {
  if (year === undefined) return null;
  const { value, confidence, terms, denominator } = year;
  return { ...createWindowSubject(year, year), derived: true, value, confidence, terms, denominator };
}

/**
 * Whether the window's four quarters add up to its value except for rounding; true if not all four quarters are known.
 */
function canBeSumOfQuarters({ start, end, value }: Figure, quarters: readonly Figure[]): boolean {
  const lastFour = findFourQuarters(end, quarters);
  const first = lastFour?.at(-1)?.start;
  if (lastFour == null || first == null || start === null || !isSameBoundary(first, start)) return true;
  const values = lastFour.map((quarter) => quarter.value);
  return areEqualExceptRounding(sum(values), value, values);
}

/**
 * Returns the sum of the quarter that ends on the day and the three quarters before. Null if a quarter is missing, if
 * the quarters are not comparable (`isOneBasis`), or if only the last quarter's report recasts the year before
 * (`isRecastSince`).
 */
function sumFourQuarters(end: string, quarters: readonly Figure[], figures: readonly Figure[]): Figure | null {
  const lastFour = findFourQuarters(end, quarters);
  const [latest, earliest] = [lastFour?.at(0), lastFour?.at(-1)];
  if (lastFour === null || latest === undefined || earliest === undefined) return null;
  const findPrior: PriorYearLookup = ({ periodKind, end: laterEnd }) => {
    const isPrior = (figure: Figure) => figure.periodKind === periodKind && areYearsApart(figure.end, laterEnd);
    return figures.find(isPrior)?.terms[0]?.source.knownValues ?? [];
  };
  const inputs = { plus: lastFour, minus: [], maxConfidence: DERIVED_CONFIDENCE.exact };
  return sumFiguresOnOneBasis(createWindowSubject(earliest, latest), inputs, ([newest, ...others]) =>
    others.every((other) => newest !== undefined && !isRecastSince(newest, other, findPrior)),
  );
}

/**
 * Returns the four consecutive quarters that end on the day, latest first; null if a quarter is missing.
 * @param quarters latest first
 */
function findFourQuarters(end: string, quarters: readonly Figure[]): readonly Figure[] | null {
  const startIndex = quarters.findIndex((quarter) => quarter.end === end);
  if (startIndex < 0) return null;
  const run: Figure[] = [];
  for (let index = startIndex; index < quarters.length && run.length < 4; index += 1) {
    const [quarter, later] = [assertDefined(quarters[index]), run.at(-1)];
    if (later === undefined || isFollowedBy(quarter, later)) run.push(quarter);
  }
  return run.length < 4 ? null : run;
}

/** Returns the fiscal year plus the next year's months to date, minus the same months of the fiscal year. */
function rollYearForward(end: string, years: readonly Figure[], yearsToDate: readonly Figure[]): Figure | null {
  for (const months of yearsToDate.filter((part) => part.end === end)) {
    const year = years.find((other) => isFollowedBy(other, months));
    const prior = yearsToDate.find(
      (part) => part.periodKind === months.periodKind && areYearsApart(part.end, end) && part.start === year?.start,
    );
    if (year === undefined || prior === undefined) continue;
    const start = addDays(prior.end, 1);
    return sumFiguresOnOneBasis(
      { ...createWindowSubject(year, months), start },
      { plus: [year, months], minus: [prior], maxConfidence: DERIVED_CONFIDENCE.exact },
    );
  }
  return null;
}

/**
 * Returns the key, unit and dates of the flow over the twelve months from the start of the first figure to the end of
 * the last figure, without a fiscal period.
 */
function createWindowSubject(first: Figure, last: Figure): FigureSubject {
  const { metricKey, unit, start } = first;
  return { metricKey, unit, start, end: last.end, periodKind: 'ttm', fiscalYear: null, fiscalPeriod: null };
}

function isFollowedBy(earlier: Figure, later: Figure): boolean {
  if (later.start === null || earlier.end >= later.end) return false;
  return Math.abs(countDaysBetween(earlier.end, later.start) - 1) <= MAX_GAP_DAYS;
}

const isAnnual = ({ periodKind }: Figure): boolean => periodKind === 'annual';

const isQuarter = ({ periodKind }: Figure): boolean => periodKind === 'quarter';

const isYearToDate = ({ periodKind }: Figure): boolean =>
  periodKind === 'quarter' || periodKind === 'half' || periodKind === 'nine_month';
