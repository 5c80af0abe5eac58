/**
 * Decides whether the parts of a total are complete for a period shorter than a year: an annual report that states the
 * total and the same parts shows whether the parts add up to the total.
 */
import { isNearlyEqual, sum } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { METRICS } from '../../contract/figures.ts';
import { pushTo } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { isFlow } from '../metrics/metric-rules.ts';
import { groupByPeriodAndUnit } from '../periods/period-map.ts';
import type { Figure, FigureSubject } from './figure.ts';

type OperandChoice = string | readonly string[];

/**
 * The parts of each flow that is a total. Omits flows that are differences: gross profit, for example, may be derived
 * from a revenue other than the reported revenue.
 */
const OPERANDS_OF_TOTAL: ReadonlyMap<string, readonly OperandChoice[]> = new Map(
  METRICS.flatMap(({ key, whenNotReported: formula }): [string, readonly OperandChoice[]][] =>
    formula === undefined || formula.minus !== undefined || !isFlow(key) ? [] : [[key, formula.plus]],
  ),
);
const USED_METRICS: ReadonlySet<string> = new Set(
  [...OPERANDS_OF_TOTAL].flatMap(([key, parts]) => [key, ...parts.flat()]),
);

/** Maximum relative difference between a total and the sum of its parts: filers round lines and correct totals. */
const NEAR_TOTAL_TOLERANCE: Decimal = '0.05';
/** A year shows whether parts are complete only for periods that start fewer than this number of days after its end. */
const MAX_DAYS_AFTER_YEAR = 366;

interface YearlyTotal extends Pick<Figure, 'unit' | 'end'> {
  readonly start: string;
  readonly isSumOfParts: boolean;
}

/** Fiscal years for which the company reports a total and all its parts, by the metric of the total. */
export type YearlyTotals = ReadonlyMap<string, readonly YearlyTotal[]>;

/** @param figures current values, including those of fiscal years */
export function collectYearlyTotals(figures: readonly Figure[]): YearlyTotals {
  const annual = figures.filter(({ periodKind, metricKey }) => periodKind === 'annual' && USED_METRICS.has(metricKey));
  const totals = new Map<string, YearlyTotal[]>();
  for (const ofYear of groupByPeriodAndUnit(annual)) {
    for (const { metricKey, unit, start, end, value } of ofYear) {
      const choices = OPERANDS_OF_TOTAL.get(metricKey);
      if (choices === undefined || start === null) continue;
      const parts = choices.map(
        (choice) => [choice].flat().flatMap((key) => ofYear.find((part) => part.metricKey === key) ?? [])[0]?.value,
      );
      if (!parts.every((amount) => amount !== undefined)) continue;
      const isSumOfParts = isNearlyEqual(sum(parts), value, NEAR_TOTAL_TOLERANCE);
      pushTo(totals, metricKey, { unit, start, end, isSumOfParts });
    }
  }
  return totals;
}

type Period = Pick<FigureSubject, 'unit' | 'start' | 'periodKind'>;

/**
 * Whether the parts of a metric do not add up to its total in the latest year that has both and starts by the period's
 * start. False if no such year ended less than `MAX_DAYS_AFTER_YEAR` days before the period's start.
 */
export function arePartsIncomplete(key: string, { unit, start, periodKind }: Period, totals: YearlyTotals): boolean {
  const ofMetric = totals.get(key);
  if (ofMetric === undefined || start === null || periodKind === 'annual') return false;
  let last: YearlyTotal | null = null;
  for (const total of ofMetric) {
    if (total.unit === unit && total.start <= start && (last === null || total.start > last.start)) last = total;
  }
  return last !== null && !last.isSumOfParts && countDaysBetween(last.end, start) < MAX_DAYS_AFTER_YEAR;
}
