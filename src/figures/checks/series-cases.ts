/** Checks of one metric's figures over time. */

import { compareText } from '../../contract/compare-text.ts';
import { multiply, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { groupBy, sortIfNeeded } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { type Figure, sumTerms } from '../derived/figure.ts';
import { isAdditive } from '../metrics/metric-rules.ts';
import { groupByMetricAndUnit } from '../revisions/revision-chain.ts';
import { type CheckRecorder, computeRelativeDifference, computeRelativeExcess } from './case.ts';

/** Maximum number of days between the ends of one period in two filings: weekly calendars shift the end. */
const MAX_END_SHIFT_DAYS = 7;
const QUARTERS_PER_YEAR = 4;
/**
 * Tolerated difference between a year and the sum of its quarters, as a fraction of the quarters' absolute amounts:
 * later filings may restate only the year.
 */
const RESTATEMENT_TOLERANCE: Decimal = '0.05';
/** Maximum factor between the amounts of neighbouring quarters; seasonal changes are smaller. */
const MAX_NEIGHBOR_FACTOR: Decimal = '10';
const NEVER_NEGATIVE_METRICS: ReadonlySet<string> = new Set(['revenue', 'cost_of_revenue']);

/** Compares every derived sum with the sum of its inputs. */
export function checkInputSums(figures: readonly Figure[], recordCheck: CheckRecorder): void {
  for (const figure of figures) {
    if (!figure.derived || figure.denominator.length > 0) continue;
    const inputTotal = sumTerms(figure.terms);
    const difference = inputTotal === figure.value ? '0' : takeAbsoluteValue(subtract(figure.value, inputTotal));
    recordCheck(computeRelativeDifference(difference, figure.value), () => describeFigure(figure));
  }
}

/** Compares years with their four quarters. */
export function checkQuarterSums(series: readonly FlowSeries[], recordCheck: CheckRecorder): void {
  for (const { years, quarters } of series) {
    for (const year of years) {
      const earliestStart = addDays(assertDefined(year.start), -MAX_END_SHIFT_DAYS);
      const quarterValues = quarters
        .filter(({ start, end }) => end <= year.end && assertDefined(start) >= earliestStart)
        .map(({ value }) => value);
      if (quarterValues.length !== QUARTERS_PER_YEAR) continue;
      const difference = takeAbsoluteValue(subtract(year.value, sum(quarterValues)));
      // Measures the difference against the sum of absolute values, because flows of opposite sign may cancel out.
      const absoluteTotal = sum(quarterValues.map(takeAbsoluteValue));
      recordCheck(computeRelativeExcess(difference, absoluteTotal, RESTATEMENT_TOLERANCE), () => describeFigure(year));
    }
  }
}

/** Compares derived quarters with the quarters before and after, for metrics that are never negative. */
export function checkOutlyingQuarters(series: readonly FlowSeries[], recordCheck: CheckRecorder): void {
  for (const { quarters } of series) {
    if (!NEVER_NEGATIVE_METRICS.has(quarters[0]?.metricKey ?? '')) continue;
    for (const [index, quarter] of quarters.entries()) {
      const [previousFigure, nextFigure] = [quarters[index - 1], quarters[index + 1]];
      if (!quarter.derived) continue;
      if (previousFigure === undefined || nextFigure === undefined) continue;
      const neighbourValues = [previousFigure.value, nextFigure.value];
      const isFarAbove = neighbourValues.every(
        (value) => compareDecimals(quarter.value, multiply(value, MAX_NEIGHBOR_FACTOR)) > 0,
      );
      const isFarBelow = neighbourValues.every(
        (value) => compareDecimals(multiply(quarter.value, MAX_NEIGHBOR_FACTOR), value) < 0,
      );
      const deviation =
        isFarAbove || isFarBelow
          ? computeRelativeDifference(
              takeAbsoluteValue(subtract(quarter.value, previousFigure.value)),
              previousFigure.value,
            )
          : '0';
      recordCheck(deviation, () => describeFigure(quarter));
    }
  }
}

/**
 * Compares every flow with the previous flow of the same metric, unit and kind of period: two periods that end
 * within days of each other are duplicates.
 */
export function checkDuplicatePeriods(figures: readonly Figure[], recordCheck: CheckRecorder): void {
  // Omits instants, because the date of a share count on a cover may be any day.
  const durationFigures = figures.filter(({ start }) => start !== null);
  for (const series of groupByMetricAndUnit(durationFigures)) {
    for (const figuresOfKind of groupBy(series, ({ periodKind }) => periodKind).values()) {
      let previousFigure: Figure | null = null;
      for (const figure of sortByEnd(figuresOfKind)) {
        const isDuplicate =
          previousFigure !== null && countDaysBetween(previousFigure.end, figure.end) <= MAX_END_SHIFT_DAYS;
        recordCheck(isDuplicate ? '1' : '0', () => describeFigure(figure));
        previousFigure = figure;
      }
    }
  }
}

export interface FlowSeries {
  readonly years: readonly Figure[];
  /** The quarters of the series, earliest first. */
  readonly quarters: readonly Figure[];
}

/** Returns the years and quarters of each flow of money. */
export function groupFlowSeries(figures: readonly Figure[]): FlowSeries[] {
  const flows = figures.filter(({ metricKey }) => isAdditive(metricKey));
  return groupByMetricAndUnit(flows).map((figuresOfSeries) => ({
    years: figuresOfSeries.filter(({ periodKind }) => periodKind === 'annual'),
    quarters: sortByEnd(figuresOfSeries.filter(({ periodKind }) => periodKind === 'quarter')),
  }));
}

function sortByEnd(figures: readonly Figure[]): Figure[] {
  return sortIfNeeded([...figures], (a, b) => compareText(a.end, b.end));
}

function describeFigure({ metricKey, unit, start, end }: Figure): string {
  return `${metricKey} ${unit} ${start === null ? end : `${start} to ${end}`}`;
}
