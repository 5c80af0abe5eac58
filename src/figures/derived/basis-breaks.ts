/**
 * Finds figures that are not comparable with the figure of the previous period (a change of basis), for example because
 * a filing restated one period but not the period before.
 */
import { computeHalfOfLastPlace, multiply, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, shiftDecimal } from '../../contract/decimal-text.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { isAdditive } from '../metrics/metric-rules.ts';
import { MAX_BOUNDARY_SHIFT_DAYS } from '../periods/align-periods.ts';
import { groupByMetricAndUnit } from '../revisions/revision-chain.ts';
import { type Figure, toComparablePair } from './figure.ts';
import { areEqualExceptRounding } from './quarters.ts';

/** A restatement that changes a value by less than 1 % (1 / 100) is a correction, not a change of basis. */
const CHANGE_THRESHOLD_DIVISOR: Decimal = '100';
const QUARTERS_PER_YEAR = 4;
/** Powers of ten of the units in which filers round amounts, largest first: millions, tenths of millions, thousands. */
const ROUNDING_EXPONENTS = [6, 5, 3];
/**
 * Maximum number of days between the ends of two consecutive windows of twelve months: slightly longer than a quarter.
 */
const MAX_DAYS_BETWEEN_WINDOWS = 125;

/**
 * Returns the figures that are not comparable with the previous period: the two periods have no comparable values, or a
 * comparable value differs from the shown value by 1 % or more. Also returns years and trailing twelve months that
 * differ from the sum of their four shown quarters by more than rounding.
 * @param figures in any order; only flows are compared
 */
export function findFiguresAfterBasisBreak(figures: readonly Figure[]): ReadonlySet<Figure> {
  const figuresWithBreak = new Set<Figure>();
  const flows = figures.filter(({ start, denominator }) => start !== null && denominator.length === 0);
  for (const series of groupByMetricAndUnit(flows)) {
    const laterFigureByKind = new Map<string, Figure>();
    for (const figure of [...series].sort((a, b) => (a.end < b.end ? 1 : -1))) {
      const nextFigure = laterFigureByKind.get(figure.periodKind);
      if (nextFigure !== undefined && isNextPeriod(nextFigure, figure) && isBasisBreak(nextFigure, figure))
        figuresWithBreak.add(nextFigure);
      laterFigureByKind.set(figure.periodKind, figure);
    }
    for (const year of findYearsThatDifferFromQuarters(series)) figuresWithBreak.add(year);
  }
  return figuresWithBreak;
}

/** @param series figures of one metric and unit */
function findYearsThatDifferFromQuarters(series: readonly Figure[]): Figure[] {
  const quarters = series.filter(({ metricKey, periodKind }) => periodKind === 'quarter' && isAdditive(metricKey));
  if (quarters.length < QUARTERS_PER_YEAR) return [];
  return series.filter((year) => {
    if (year.periodKind !== 'annual' && year.periodKind !== 'ttm') return false;
    const quarterValues = quarters.filter(({ start, end }) => isWithinYear(start, end, year)).map(({ value }) => value);
    if (quarterValues.length !== QUARTERS_PER_YEAR) return false;
    const isNearSum = areEqualExceptRounding(sum(quarterValues), year.value, quarterValues);
    return !isNearSum || !isExplainedByRounding(year.value, quarterValues);
  });
}

/** Whether rounding of each amount explains the difference between the total and the sum of its parts. */
function isExplainedByRounding(total: Decimal, parts: readonly Decimal[]): boolean {
  const difference = takeAbsoluteValue(subtract(total, sum(parts)));
  return compareDecimals(difference, sum([total, ...parts].map(estimateRoundingError))) <= 0;
}

/** Returns half of the largest unit in which a filer may have rounded the amount. */
function estimateRoundingError(amount: Decimal): Decimal {
  const roundingExponent = ROUNDING_EXPONENTS.find(
    (zeroCount) => amount.endsWith('0'.repeat(zeroCount)) && !amount.includes('.'),
  );
  return roundingExponent === undefined ? computeHalfOfLastPlace(amount) : shiftDecimal('0.5', roundingExponent);
}

function isWithinYear(start: string | null, end: string, year: Figure): boolean {
  // Comparing text first is faster: most quarters lie outside the year.
  if (start === null || start > year.end || end < (year.start ?? '')) return false;
  return (
    countDaysBetween(year.start ?? '', start) >= -MAX_BOUNDARY_SHIFT_DAYS &&
    countDaysBetween(end, year.end) >= -MAX_BOUNDARY_SHIFT_DAYS
  );
}

function isNextPeriod(laterFigure: Figure, earlierFigure: Figure): boolean {
  if (laterFigure.periodKind === 'ttm')
    return countDaysBetween(earlierFigure.end, laterFigure.end) <= MAX_DAYS_BETWEEN_WINDOWS;
  return Math.abs(countDaysBetween(earlierFigure.end, laterFigure.start ?? '') - 1) <= MAX_BOUNDARY_SHIFT_DAYS;
}

/** Whether the figures of two consecutive periods are not comparable with each other. */
export function isBasisBreak(laterFigure: Figure, earlierFigure: Figure): boolean {
  const comparablePair = toComparablePair(laterFigure, earlierFigure);
  return (
    comparablePair === null ||
    isMateriallyChanged(comparablePair[0], laterFigure) ||
    isMateriallyChanged(comparablePair[1], earlierFigure)
  );
}

/** Whether the comparable version of a figure differs from the shown figure by at least 1 %. */
function isMateriallyChanged(comparableFigure: Figure, shownFigure: Figure): boolean {
  if (comparableFigure === shownFigure) return false;
  const difference = takeAbsoluteValue(subtract(comparableFigure.value, shownFigure.value));
  return compareDecimals(multiply(difference, CHANGE_THRESHOLD_DIVISOR), takeAbsoluteValue(shownFigure.value)) >= 0;
}
