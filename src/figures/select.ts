/** Which of a company's figures an answer shows, and in which order. */

import { compareText } from '../contract/compare-text.ts';
import type { FigureValue } from './metrics/figure.ts';
import { metricOrder } from './metrics/metric-rules.ts';
import type { PeriodKind } from './periods/period-kind.ts';
import type { FigureKey } from './revisions/revision-chain.ts';

/** The order of figures in an answer: by metric, then latest end, then the longer period, then unit. */
export function compareFigures(a: FigureKey, b: FigureKey): number {
  return (
    metricOrder(a.metricKey) - metricOrder(b.metricKey) ||
    compareText(a.metricKey, b.metricKey) ||
    compareText(b.end, a.end) ||
    compareText(a.start ?? '', b.start ?? '') ||
    compareText(a.unit, b.unit)
  );
}

export type PeriodChoice = 'latest' | 'annual' | 'quarterly' | 'all';

/** What period a figure is of. */
export interface Dated extends FigureKey {
  readonly periodKind: PeriodKind;
  readonly fiscalPeriod: string | null;
}

/** Which of several periods that end on one day comes first. */
const PREFERENCE: Readonly<Record<PeriodKind, number>> = { annual: 0, quarter: 1, nine_month: 2, half: 3, instant: 4 };

/**
 * - `latest`: of each metric and unit the figure that ends last (a late restatement of an older period never
 *   moves it back); of several that end together the annual, then the quarter, then the longer.
 * - `annual`: fiscal years, balances at their ends, and the covers of annual reports.
 * - `quarterly`: quarters, balances at quarter ends (a year's end is one), and the covers of all reports.
 * The order of the figures is kept.
 */
export function selectPeriods<F extends Dated>(values: readonly F[], choice: PeriodChoice): F[] {
  switch (choice) {
    case 'all':
      return [...values];
    case 'annual':
      return values.filter((value) => value.fiscalPeriod === 'FY');
    case 'quarterly':
      return values.filter(
        ({ periodKind, fiscalPeriod }) =>
          periodKind === 'quarter' || (periodKind === 'instant' && fiscalPeriod !== null),
      );
    case 'latest':
      return keepBest(
        values,
        (value) => `${value.metricKey} ${value.unit}`,
        (a, b) => (a.end === b.end ? PREFERENCE[a.periodKind] - PREFERENCE[b.periodKind] : a.end < b.end ? 1 : -1),
      );
  }
}

/**
 * One row per metric, unit, kind of period and end: the original discrete one. A reported figure before a derived one,
 * then the later start.
 */
export function collapse(values: readonly FigureValue[]): FigureValue[] {
  return keepBest(
    values,
    (value) => `${value.metricKey} ${value.unit} ${value.periodKind} ${value.end}`,
    (a, b) =>
      Number(a.valueKind === 'derived') - Number(b.valueKind === 'derived') ||
      compareText(b.start ?? '', a.start ?? ''),
  );
}

function keepBest<F extends Dated>(
  values: readonly F[],
  keyOf: (value: F) => string,
  order: (a: F, b: F) => number,
): F[] {
  const best = new Map<string, F>();
  for (const value of values) {
    const key = keyOf(value);
    const known = best.get(key);
    if (known === undefined || order(value, known) < 0) best.set(key, value);
  }
  return [...best.values()].sort(compareFigures);
}
