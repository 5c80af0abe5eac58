/** Comparisons between the figures of one metric over time. */

import { compareText } from '../../contract/compare-text.ts';
import { absolute, multiply, subtract, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { groupBy, sortIfNeeded } from '../../platform/collections.ts';
import { addDays, daysBetween } from '../../platform/dates.ts';
import { type Figure, sumOf } from '../derived/figure.ts';
import { isAdditive } from '../metrics/metric-rules.ts';
import { byMetricAndUnit } from '../revisions/revision-chain.ts';
import { type Compare, excessOf, shareOf } from './case.ts';

/**
 * Maximum number of days between the same period's end in two filings: filers with weekly calendars shift it by a few
 * days.
 */
const SAME_DAYS = 7;
const QUARTERS = 4;
/** Share of a year by which a restated line may change. */
const RESTATED: Decimal = '0.05';
/** Maximum factor between a quarter's revenue and the quarters before and after; no season exceeds it. */
const STRAY: Decimal = '10';
const NEVER_NEGATIVE: ReadonlySet<string> = new Set(['revenue', 'cost_of_revenue']);

/** Compares every sum with its inputs. */
export function sumsOfInputs(figures: readonly Figure[], compare: Compare): void {
  for (const figure of figures) {
    if (!figure.derived || figure.denominator.length > 0) continue;
    const inputs = sumOf(figure.terms);
    const difference = inputs === figure.value ? '0' : absolute(subtract(figure.value, inputs));
    compare(shareOf(difference, figure.value), () => nameOf(figure));
  }
}

/** Compares years with their four quarters. */
export function quartersOfYears(series: readonly FlowSeries[], compare: Compare): void {
  for (const { years, quarters } of series) {
    for (const year of years) {
      const first = addDays(assertDefined(year.start), -SAME_DAYS);
      const parts = quarters
        .filter(({ start, end }) => end <= year.end && assertDefined(start) >= first)
        .map(({ value }) => value);
      if (parts.length !== QUARTERS) continue;
      const difference = absolute(subtract(year.value, sum(parts)));
      // Positive and negative flows may cancel out in the year, so the difference is measured against their absolute
      // values.
      const of = sum(parts.map(absolute));
      compare(excessOf(difference, of, RESTATED), () => nameOf(year));
    }
  }
}

/** Compares derived quarters with the quarters before and after, for metrics that are never negative. */
export function strayQuarters(series: readonly FlowSeries[], compare: Compare): void {
  for (const { quarters } of series) {
    if (!NEVER_NEGATIVE.has(quarters[0]?.metricKey ?? '')) continue;
    for (const [index, quarter] of quarters.entries()) {
      const [previousFigure, nextFigure] = [quarters[index - 1], quarters[index + 1]];
      if (!quarter.derived) continue;
      if (previousFigure === undefined || nextFigure === undefined) continue;
      const neighbours = [previousFigure.value, nextFigure.value];
      const isAbove = neighbours.every((value) => compareDecimals(quarter.value, multiply(value, STRAY)) > 0);
      const isBelow = neighbours.every((value) => compareDecimals(multiply(quarter.value, STRAY), value) < 0);
      const off =
        isAbove || isBelow
          ? shareOf(absolute(subtract(quarter.value, previousFigure.value)), previousFigure.value)
          : '0';
      compare(off, () => nameOf(quarter));
    }
  }
}

/**
 * Compares every figure with the previous one of the same metric, unit and kind of period: their dates must not be
 * nearly the same.
 */
export function oneRowAPeriod(figures: readonly Figure[], compare: Compare): void {
  // Leaves out share counts of covers, which may be of any day.
  const dated = figures.filter(({ start }) => start !== null);
  for (const series of byMetricAndUnit(dated)) {
    for (const list of groupBy(series, ({ periodKind }) => periodKind).values()) {
      let previousFigure: Figure | null = null;
      for (const figure of byEnd(list)) {
        const isTwice = previousFigure !== null && daysBetween(previousFigure.end, figure.end) <= SAME_DAYS;
        compare(isTwice ? '1' : '0', () => nameOf(figure));
        previousFigure = figure;
      }
    }
  }
}

export interface FlowSeries {
  readonly years: readonly Figure[];
  /** In ascending order. */
  readonly quarters: readonly Figure[];
}

/** The years and quarters of each flow that is measured in money. */
export function flowSeriesOf(figures: readonly Figure[]): FlowSeries[] {
  const flows = figures.filter(({ metricKey }) => isAdditive(metricKey));
  return byMetricAndUnit(flows).map((list) => ({
    years: list.filter(({ periodKind }) => periodKind === 'annual'),
    quarters: byEnd(list.filter(({ periodKind }) => periodKind === 'quarter')),
  }));
}

function byEnd(figures: readonly Figure[]): Figure[] {
  return sortIfNeeded([...figures], (a, b) => compareText(a.end, b.end));
}

function nameOf({ metricKey, unit, start, end }: Figure): string {
  return `${metricKey} ${unit} ${start === null ? end : `${start} to ${end}`}`;
}
