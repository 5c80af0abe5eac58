/**
 * Finds figures that are not comparable with the figure of the previous period (a change of basis), for example because
 * a filing restated one period but not the period before.
 */
import { computeHalfOfLastPlace, multiply, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual, shiftDecimal } from '../../contract/decimal-text.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { isAdditive } from '../metrics/metric-rules.ts';
import { MAX_DATE_SHIFT_DAYS } from '../periods/align-periods.ts';
import { groupByMetricAndUnit } from '../revisions/revision-chain.ts';
import { areEqualExceptRounding } from './derive-quarters.ts';
import { type Figure, toComparablePair } from './figure.ts';

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
  const breaks = new Set<Figure>();
  const flows = figures.filter(({ start, denominator }) => start !== null && denominator.length === 0);
  for (const series of groupByMetricAndUnit(flows)) {
    const laterByKind = new Map<string, Figure>();
    for (const figure of [...series].sort((a, b) => (a.end < b.end ? 1 : -1))) {
      const next = laterByKind.get(figure.periodKind);
      if (next !== undefined && isNextPeriod(next, figure) && isBasisBreak(next, figure)) breaks.add(next);
      laterByKind.set(figure.periodKind, figure);
    }
    for (const year of findYearsThatDifferFromQuarters(series)) breaks.add(year);
  }
  return breaks;
}

/** @param series figures of one metric and unit */
function findYearsThatDifferFromQuarters(series: readonly Figure[]): Figure[] {
  const quarters = series.filter(({ metricKey, periodKind }) => periodKind === 'quarter' && isAdditive(metricKey));
  return series.filter((year) => {
    if (year.periodKind !== 'annual' && year.periodKind !== 'ttm') return false;
    if (quarters.some((quarter) => quarter.derived && isOfOtherVersion(quarter, year))) return true;
    const values = quarters.filter(({ start, end }) => isWithinYear(start, end, year)).map(({ value }) => value);
    if (values.length !== QUARTERS_PER_YEAR) return false;
    const isNear = areEqualExceptRounding(sum(values), year.value, values);
    return !isNear || !isExplainedByRounding(year.value, values);
  });
}

/** Whether the last quarter is derived from another value of the year than the shown one. */
function isOfOtherVersion({ end, terms }: Figure, year: Figure): boolean {
  return (
    end === year.end &&
    terms.some(
      ({ source: { reported } }) =>
        reported.periodKind === year.periodKind && reported.end === end && !isEqual(reported.value, year.value),
    )
  );
}

/** Whether rounding of each amount explains the difference between the total and the sum of its parts. */
function isExplainedByRounding(total: Decimal, parts: readonly Decimal[]): boolean {
  const difference = takeAbsoluteValue(subtract(total, sum(parts)));
  return compareDecimals(difference, sum([total, ...parts].map(estimateRoundingError))) <= 0;
}

/** Returns half of the largest unit in which a filer may have rounded the amount. */
function estimateRoundingError(amount: Decimal): Decimal {
  const exponent = ROUNDING_EXPONENTS.find((zeros) => amount.endsWith('0'.repeat(zeros)) && !amount.includes('.'));
  return exponent === undefined ? computeHalfOfLastPlace(amount) : shiftDecimal('0.5', exponent);
}

function isWithinYear(start: string | null, end: string, year: Figure): boolean {
  // Comparing text first is faster: most quarters lie outside the year.
  if (start === null || start > year.end || end < (year.start ?? '')) return false;
  return (
    countDaysBetween(year.start ?? '', start) >= -MAX_DATE_SHIFT_DAYS &&
    countDaysBetween(end, year.end) >= -MAX_DATE_SHIFT_DAYS
  );
}

function isNextPeriod(later: Figure, earlier: Figure): boolean {
  if (later.periodKind === 'ttm') return countDaysBetween(earlier.end, later.end) <= MAX_DAYS_BETWEEN_WINDOWS;
  return Math.abs(countDaysBetween(earlier.end, later.start ?? '') - 1) <= MAX_DATE_SHIFT_DAYS;
}

/** Whether the figures of two consecutive periods are not comparable with each other. */
export function isBasisBreak(later: Figure, earlier: Figure): boolean {
  const pair = toComparablePair(later, earlier);
  return pair === null || isMateriallyChanged(pair[0], later) || isMateriallyChanged(pair[1], earlier);
}

/** Whether the comparable version of a figure differs from the shown figure by at least 1 %. */
function isMateriallyChanged(comparable: Figure, shown: Figure): boolean {
  if (comparable === shown) return false;
  const difference = takeAbsoluteValue(subtract(comparable.value, shown.value));
  return compareDecimals(multiply(difference, CHANGE_THRESHOLD_DIVISOR), takeAbsoluteValue(shown.value)) >= 0;
}
