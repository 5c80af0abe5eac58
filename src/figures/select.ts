/** Which of a company's figures an answer shows. */
import { figureKey } from './chain-reading.ts';
import { inStatementOrder } from './figure-values.ts';
import type { FigureValue, PeriodKind } from './types.ts';

export type PeriodChoice = 'latest' | 'annual' | 'quarterly' | 'all';

/** Where several periods end on one day, the one that says most comes first. */
const PREFERENCE: Readonly<Record<PeriodKind, number>> = { annual: 0, quarter: 1, nine_month: 2, half: 3, instant: 4 };

/**
 * - `latest`: of each metric and unit the figure that ends last (a late restatement of an older period never
 *   moves it back); of several that end together the annual, then the quarter, then the longer.
 * - `annual`: fiscal years, balances at their ends, and the covers of annual reports.
 * - `quarterly`: quarters, balances at quarter ends (a year's end is one), and the covers of all reports.
 * Order is kept.
 */
export function selectPeriods(values: readonly FigureValue[], choice: PeriodChoice): FigureValue[] {
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
    (value) => figureKey(value.metricKey, value.unit, value.periodKind, value.end),
    (a, b) =>
      Number(a.valueKind === 'derived') - Number(b.valueKind === 'derived') ||
      compareText(b.start ?? '', a.start ?? ''),
  );
}

function keepBest(
  values: readonly FigureValue[],
  keyOf: (value: FigureValue) => string,
  order: (a: FigureValue, b: FigureValue) => number,
): FigureValue[] {
  const best = new Map<string, FigureValue>();
  for (const value of values) {
    const key = keyOf(value);
    const known = best.get(key);
    if (known === undefined || order(value, known) < 0) best.set(key, value);
  }
  return [...best.values()].sort(inStatementOrder);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
