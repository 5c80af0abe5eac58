/**
 * Whether the lines of a total over several months are complete: an annual report with the total and the same lines
 * shows it.
 */
import { nearlyEqual, sum } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { METRICS } from '../../contract/figures.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import { daysBetween } from '../../platform/dates.ts';
import { isFlow } from '../metrics/metric-rules.ts';
import { PeriodMap } from '../periods/period-map.ts';
import type { Figure, FigureSubject } from './figure.ts';

type Part = string | readonly string[];

/**
 * The parts of each total of flows. Differences such as gross profit are left out: their revenue may differ from the
 * reported one.
 */
const PARTS: ReadonlyMap<string, readonly Part[]> = new Map(
  METRICS.flatMap(({ key, whenNotReported: sum }): [string, readonly Part[]][] =>
    sum === undefined || sum.minus !== undefined || !isFlow(key) ? [] : [[key, sum.plus]],
  ),
);
const READ: ReadonlySet<string> = new Set([...PARTS].flatMap(([key, parts]) => [key, ...parts.flat()]));

/** Maximum difference between a total and its parts, as a share: lines are rounded, and totals corrected. */
const NEAR_TOTAL: Decimal = '0.05';
/** Maximum number of days between a period and the annual report that shows its parts. */
const YEAR_DAYS = 366;

interface Year extends Pick<Figure, 'unit' | 'end'> {
  readonly start: string;
  /** Whether the parts add up to the total. */
  readonly isWhole: boolean;
}

/** Fiscal years with a reported total and parts, by metric. */
export type YearlyTotals = ReadonlyMap<string, readonly Year[]>;

/** @param figures current values, those of fiscal years included */
export function yearlyTotals(figures: readonly Figure[]): YearlyTotals {
  const annual = figures.filter(({ periodKind, metricKey }) => periodKind === 'annual' && READ.has(metricKey));
  const amounts = new Map<string, PeriodMap<Decimal>>();
  for (const figure of annual) {
    const { metricKey, unit, value } = figure;
    getOrInsert(amounts, `${metricKey} ${unit}`, () => new PeriodMap<Decimal>()).set(figure, value);
  }
  const years = new Map<string, Year[]>();
  for (const { metricKey, unit, start, end, value } of annual) {
    const parts = PARTS.get(metricKey);
    if (parts === undefined || start === null) continue;
    const amountOf = (key: string) => amounts.get(`${key} ${unit}`)?.get({ start, end });
    const found = parts.map((part) =>
      [part]
        .flat()
        .map(amountOf)
        .find((amount) => amount !== undefined),
    );
    if (!found.every((amount) => amount !== undefined)) continue;
    pushTo(years, metricKey, { unit, start, end, isWhole: nearlyEqual(sum(found), value, NEAR_TOTAL) });
  }
  return years;
}

type Period = Pick<FigureSubject, 'unit' | 'start' | 'periodKind'>;

/**
 * Whether the parts of a metric do not add up to its total in the year around a shorter period, or, if that year has
 * no total yet, in the last year before it.
 */
export function isPartOnly(metricKey: string, { unit, start, periodKind }: Period, totals: YearlyTotals): boolean {
  const years = totals.get(metricKey);
  if (years === undefined || start === null || periodKind === 'annual') return false;
  let lastYear: Year | null = null;
  for (const year of years) {
    if (year.unit === unit && year.start <= start && (lastYear === null || year.start > lastYear.start))
      lastYear = year;
  }
  return lastYear !== null && !lastYear.isWhole && daysBetween(lastYear.end, start) < YEAR_DAYS;
}
