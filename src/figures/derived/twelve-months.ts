/** Derives a flow over twelve months: a fiscal year, four consecutive quarters, or a year updated by a year to date. */

import { sum } from '../../contract/decimal.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { isAdditive, isOneDirectional } from '../metrics/metric-rules.ts';
import { isSameBoundary } from '../periods/align-periods.ts';
import { areYearsApart } from '../periods/period-kind.ts';
import { isRecastSince, type PriorYearLookup } from '../revisions/recast.ts';
import { groupByMetricAndUnit } from '../revisions/revision-chain.ts';
import { DERIVED_CONFIDENCE, type Figure, type FigureSubject, sumFiguresOnOneBasis } from './figure.ts';
import { areEqualExceptRounding, type MetricCutoff } from './quarters.ts';

/** Maximum gap in days between consecutive quarters: weekly calendars shift the ends of quarters. */
const MAX_GAP_DAYS = 7;

/**
 * Returns the flow over the latest twelve months; null if no such flow can be derived.
 * @param figures figures of one metric and unit
 */
export function findLatestTwelveMonths(figures: readonly Figure[]): Figure | null {
  return findWindows(figures).next().value ?? null;
}

/**
 * Returns each flow of money over twelve months, for each end of a year, quarter or year to date. If `cutoff` is set,
 * omits windows of the cutoff's metric that end before the cutoff's day.
 */
export function deriveTrailingTwelveMonths(figures: readonly Figure[], cutoff: MetricCutoff | null): Figure[] {
  const flows = figures.filter(({ metricKey }) => isAdditive(metricKey));
  return groupByMetricAndUnit(flows).flatMap((seriesFigures) => {
    const windows: Figure[] = [];
    for (const window of findWindows(seriesFigures)) {
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
function* findWindows(figures: readonly Figure[]): Generator<Figure, undefined> {
  const years = figures.filter(isAnnual);
  const quarters = figures.filter(isQuarter).sort((a, b) => (a.end < b.end ? 1 : -1));
  const yearToDateFigures = figures.filter(isYearToDate);
  for (const end of [...new Set([...years, ...yearToDateFigures].map((figure) => figure.end))].sort().reverse()) {
    const window =
      toTrailingYearFigure(years.find((year) => year.end === end)) ??
      sumFourQuarters(end, quarters, figures) ??
      rollYearForward(end, years, yearToDateFigures);
    if (window !== null && hasPossibleSign(window) && canBeSumOfQuarters(window, quarters)) yield window;
  }
}

/**
 * Whether the sign of the value is possible: costs and payments cannot be negative, but a year updated with restated
 * months may give a negative difference.
 */
function hasPossibleSign({ metricKey, value }: Figure): boolean {
  return !isOneDirectional(metricKey) || compareDecimals(value, '0') >= 0;
}

function toTrailingYearFigure(year: Figure | undefined): Figure | null {
  return year === undefined ? null : new TrailingYearFigure(year);
}

/** A fiscal year as twelve months. Reads the year's value lazily. */
class TrailingYearFigure implements Figure {
  readonly metricKey: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly periodKind = 'ttm';
  readonly fiscalYear = null;
  readonly fiscalPeriod = null;
  readonly derived = true;
  readonly terms: Figure['terms'];
  readonly denominator: Figure['denominator'];
  readonly #year: Figure;

  constructor(year: Figure) {
    this.metricKey = year.metricKey;
    this.unit = year.unit;
    this.start = year.start;
    this.end = year.end;
    this.terms = year.terms;
    this.denominator = year.denominator;
    this.#year = year;
  }

  get value(): Figure['value'] {
    return this.#year.value;
  }

  get confidence(): Figure['confidence'] {
    return this.#year.confidence;
  }
}

/**
 * Whether the window's four quarters add up to its value except for rounding; true if not all four quarters are known.
 */
function canBeSumOfQuarters({ start, end, value }: Figure, quarters: readonly Figure[]): boolean {
  const lastFourQuarters = findFourQuarters(end, quarters);
  const firstStart = lastFourQuarters?.at(-1)?.start;
  if (lastFourQuarters == null || firstStart == null || start === null || !isSameBoundary(firstStart, start))
    return true;
  const quarterValues = lastFourQuarters.map((quarter) => quarter.value);
  return areEqualExceptRounding(sum(quarterValues), value, quarterValues);
}

/**
 * Returns the sum of the quarter that ends on the day and the three quarters before. Null if a quarter is missing, if
 * the quarters are not comparable (`isOneBasis`), or if only the last quarter's report recasts the year before.
 */
function sumFourQuarters(end: string, quarters: readonly Figure[], allFigures: readonly Figure[]): Figure | null {
  const lastFourQuarters = findFourQuarters(end, quarters);
  const [lastQuarter, firstQuarter] = [lastFourQuarters?.at(0), lastFourQuarters?.at(-1)];
  if (lastFourQuarters === null || lastQuarter === undefined || firstQuarter === undefined) return null;
  const findPriorYearValues: PriorYearLookup = ({ periodKind, end: laterEnd }) => {
    const isPriorYear = (figure: Figure) => figure.periodKind === periodKind && areYearsApart(figure.end, laterEnd);
    return allFigures.find(isPriorYear)?.terms[0]?.source.knownValues ?? [];
  };
  const inputs = { plus: lastFourQuarters, minus: [], maxConfidence: DERIVED_CONFIDENCE.exact };
  return sumFiguresOnOneBasis(createWindowSubject(firstQuarter, lastQuarter), inputs, ([newestValue, ...otherValues]) =>
    otherValues.every(
      (otherValue) => newestValue !== undefined && !isRecastSince(newestValue, otherValue, findPriorYearValues),
    ),
  );
}

/**
 * Returns the four consecutive quarters that end on the day, latest first; null if a quarter is missing.
 * @param quarters latest first
 */
function findFourQuarters(end: string, quarters: readonly Figure[]): readonly Figure[] | null {
  const latestQuarterIndex = quarters.findIndex((quarter) => quarter.end === end);
  if (latestQuarterIndex < 0) return null;
  const consecutiveQuarters: Figure[] = [];
  for (let index = latestQuarterIndex; index < quarters.length && consecutiveQuarters.length < 4; index += 1) {
    const [quarter, laterQuarter] = [assertDefined(quarters[index]), consecutiveQuarters.at(-1)];
    if (laterQuarter === undefined || isFollowedBy(quarter, laterQuarter)) consecutiveQuarters.push(quarter);
  }
  return consecutiveQuarters.length < 4 ? null : consecutiveQuarters;
}

/** Returns the fiscal year plus the next year's months to date, minus the same months of the fiscal year. */
function rollYearForward(end: string, years: readonly Figure[], yearToDateFigures: readonly Figure[]): Figure | null {
  for (const yearToDate of yearToDateFigures.filter((yearToDateFigure) => yearToDateFigure.end === end)) {
    const year = years.find((candidateYear) => isFollowedBy(candidateYear, yearToDate));
    const priorYearToDate = yearToDateFigures.find(
      (part) => part.periodKind === yearToDate.periodKind && areYearsApart(part.end, end) && part.start === year?.start,
    );
    if (year === undefined || priorYearToDate === undefined) continue;
    const start = addDays(priorYearToDate.end, 1);
    return sumFiguresOnOneBasis(
      { ...createWindowSubject(year, yearToDate), start },
      { plus: [year, yearToDate], minus: [priorYearToDate], maxConfidence: DERIVED_CONFIDENCE.exact },
    );
  }
  return null;
}

/**
 * Returns the key, unit and dates of the flow over the twelve months from the start of the first figure to the end of
 * the last figure, without a fiscal period.
 */
function createWindowSubject(firstFigure: Figure, lastFigure: Figure): FigureSubject {
  const { metricKey, unit, start } = firstFigure;
  return { metricKey, unit, start, end: lastFigure.end, periodKind: 'ttm', fiscalYear: null, fiscalPeriod: null };
}

function isFollowedBy(earlierFigure: Figure, laterFigure: Figure): boolean {
  if (laterFigure.start === null || earlierFigure.end >= laterFigure.end) return false;
  return Math.abs(countDaysBetween(earlierFigure.end, laterFigure.start) - 1) <= MAX_GAP_DAYS;
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
