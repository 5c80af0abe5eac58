/**
 * Checks of figures: each is compared with its inputs, its formula and the days of its inputs, and the figures of one
 * metric are compared with each other across periods.
 */

import { add, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { type Decimal, isEqual } from '../../contract/decimal-text.ts';
import type { SumFormula } from '../../contract/statements/formula.ts';
import { assertDefined } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { findFiguresAfterBasisBreak } from '../derived/basis-breaks.ts';
import { type Figure, sumTerms } from '../derived/figure.ts';
import { findSumOfMetric } from '../derived/formulas.ts';
import { isAdditive } from '../metrics/metric-rules.ts';
import { groupByPeriodAndUnit } from '../periods/period-map.ts';
import { compareDerivedQuarters } from '../relations/outlying-quarters.ts';
import { computeRelativeDifference, computeRelativeExcess } from '../relations/relations.ts';
import { groupByMetricAndUnit, type ReportedValue } from '../revisions/revision-chain.ts';
import { type CheckedCompany, type CheckRecorder, describeFigure } from './case.ts';

/**
 * Compares every sum with the sum of its inputs, and every reported figure with the one value that it is read from:
 * both must be of one metric and period.
 */
export function checkInputs({ figures }: CheckedCompany, record: CheckRecorder): void {
  for (const figure of figures) {
    const { derived, terms, denominator, value } = figure;
    if (denominator.length > 0) continue;
    const source = terms[0]?.source.reported;
    if (!derived && (terms.length !== 1 || source === undefined || !isOfFigure(source, figure))) {
      record('1', () => describeFigure(figure));
      continue;
    }
    const total = derived || source === undefined ? sumTerms(terms) : source.value;
    const difference = total === value ? '0' : takeAbsoluteValue(subtract(value, total));
    record(computeRelativeDifference(difference, value), () => describeFigure(figure));
  }
}

const isOfFigure = (value: ReportedValue, { metricKey, unit, start, end }: Figure): boolean =>
  value.metricKey === metricKey && value.unit === unit && value.start === start && value.end === end;

/** Compares every metric that is derived from others with its formula, computed again from the shown figures. */
export function checkFormulas({ figures }: CheckedCompany, record: CheckRecorder): void {
  for (const statement of groupByPeriodAndUnit(figures)) {
    const amounts = new Map(statement.map(({ metricKey, value }) => [metricKey, value]));
    for (const figure of statement.filter(isDerivedFromMetrics)) {
      const formula = findSumOfMetric(figure.metricKey);
      if (formula === null) continue;
      const isResult = listResults(formula, amounts).some((result) => isEqual(result, figure.value));
      record(isResult ? '0' : '1', () => describeFigure(figure));
    }
  }
}

/**
 * Whether the figure is computed from other metrics, and not, like a derived quarter, from longer periods of its own.
 */
const isDerivedFromMetrics = ({ derived, terms, metricKey }: Figure): boolean =>
  derived && terms.some(({ source }) => source.reported.metricKey !== metricKey);

/**
 * Returns all possible results of a sum, with and without each optional operand: one derived after the sum is not in
 * it.
 */
function listResults(
  { plus, plusIfReported = [], minus = [], minusIfReported = [] }: SumFormula,
  amounts: ReadonlyMap<string, Decimal>,
): Decimal[] {
  const findFirst = (operand: string | readonly string[]) =>
    [operand]
      .flat()
      .map((key) => amounts.get(key))
      .find((amount) => amount !== undefined);
  const addends = plus.map(findFirst);
  const subtrahends = minus.map(findFirst);
  if ([...addends, ...subtrahends].includes(undefined)) return [];
  const isPresent = (amount: Decimal | undefined): amount is Decimal => amount !== undefined;
  const requiredSum = subtract(sum(addends.filter(isPresent)), sum(subtrahends.filter(isPresent)));
  const optionalAmounts = [
    ...plusIfReported.map((key) => amounts.get(key)),
    ...minusIfReported.map((key) => {
      const amount = amounts.get(key);
      return amount === undefined ? undefined : subtract('0', amount);
    }),
  ].filter(isPresent);
  let results: Decimal[] = [requiredSum];
  for (const amount of optionalAmounts) results = results.flatMap((result) => [result, add(result, amount)]);
  return results;
}

/** Tolerated difference in days: dates of one period differ by up to nine days between filings. */
const MAX_DAYS_OFF = 40;

/** Compares the days of every derived quarter with those of its inputs, such as 365 days less 273. */
export function checkQuarterDays({ figures }: CheckedCompany, record: CheckRecorder): void {
  for (const figure of figures) {
    const { derived, periodKind, metricKey, terms, start, end } = figure;
    if (!derived || periodKind !== 'quarter' || start === null || isDerivedFromMetrics(figure)) continue;
    const days = terms.reduce((total, { source: { reported }, negative }) => {
      const length = reported.start === null ? 0 : countDaysBetween(reported.start, reported.end) + 1;
      return negative ? total - length : total + length;
    }, 0);
    const [whole] = terms.filter(({ negative }) => !negative);
    const isAligned =
      Math.abs(days - countDaysBetween(start, end) - 1) <= MAX_DAYS_OFF &&
      whole !== undefined &&
      whole.source.reported.end === end &&
      terms.every(({ source }) => source.reported.metricKey === metricKey);
    record(isAligned ? '0' : '1', () => describeFigure(figure));
  }
}

/** Maximum number of days between the ends of one period in two filings: weekly calendars shift the end. */
const MAX_END_SHIFT_DAYS = 7;
const QUARTERS_PER_YEAR = 4;
/**
 * Tolerated difference between a year and the sum of its quarters, as a fraction of the quarters' absolute amounts:
 * later filings may restate only the year.
 */
const RESTATEMENT_TOLERANCE: Decimal = '0.05';

/** Compares years with their four quarters. Answers mark a year that differs as a break of basis. */
export function checkQuarterSums({ figures }: CheckedCompany, record: CheckRecorder): void {
  for (const series of groupByMetricAndUnit(figures.filter(({ metricKey }) => isAdditive(metricKey)))) {
    const quarters = series.filter(({ periodKind }) => periodKind === 'quarter');
    for (const year of series.filter(({ periodKind }) => periodKind === 'annual')) {
      const since = addDays(assertDefined(year.start), -MAX_END_SHIFT_DAYS);
      const parts = quarters.filter(({ start, end }) => end <= year.end && assertDefined(start) >= since);
      if (parts.length !== QUARTERS_PER_YEAR) continue;
      const values = parts.map(({ value }) => value);
      const difference = takeAbsoluteValue(subtract(year.value, sum(values)));
      // Measures the difference against the sum of absolute values, because flows of opposite sign may cancel out.
      const total = sum(values.map(takeAbsoluteValue));
      record(
        computeRelativeExcess(difference, total, RESTATEMENT_TOLERANCE),
        () => describeFigure(year),
        () => findFiguresAfterBasisBreak([year, ...parts]).has(year),
      );
    }
  }
}

/** Compares derived quarters with the quarters before and after. Answers mark each quarter that is far from both. */
export function checkOutliers({ figures }: CheckedCompany, record: CheckRecorder): void {
  const isMarked = () => true;
  for (const { quarter, isOutlying } of compareDerivedQuarters(figures))
    record(isOutlying ? '1' : '0', () => describeFigure(quarter), isMarked);
}
