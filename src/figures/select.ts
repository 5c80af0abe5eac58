/** Which of a company's figures an answer shows. */

import { compareText } from '../contract/compare-text.ts';
import type { FigureValue } from './metrics/figure.ts';
import { metricOrder } from './metrics/metric-rules.ts';
import type { PeriodKind } from './periods/period-kind.ts';
import type { FigureKey } from './revisions/revision-chain.ts';

/** By metric, then latest end, then the longer period, then unit: a fixed order, whatever order statements came in. */
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

/** What of a figure says its period; a figure has it before its value is made up, and after. */
export interface Dated extends FigureKey {
  readonly periodKind: PeriodKind;
  readonly fiscalPeriod: string | null;
}

/** Where several periods end on one day, the one that says most comes first. */
const PREFERENCE: Readonly<Record<PeriodKind, number>> = { annual: 0, quarter: 1, nine_month: 2, half: 3, instant: 4 };

/**
 * - `latest`: of each metric and unit the figure that ends last (a late restatement of an older period never
 *   moves it back); of several that end together the annual, then the quarter, then the longer.
 * - `annual`: fiscal years, balances at their ends, and the covers of annual reports.
 * - `quarterly`: quarters, balances at quarter ends (a year's end is one), and the covers of all reports.
 * Order is kept.
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
 * then the one whose first statement was filed first, then the later start.
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
