/** Finds derived quarters far from the quarters before and after: the year and its parts may not belong together. */
import { compareText } from '../../contract/compare-text.ts';
import { multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { sortIfNeeded } from '../../platform/collections.ts';
import type { Figure } from '../derived/figure.ts';
import { groupByMetricAndUnit } from '../revisions/revision-chain.ts';

export const OUTLYING_QUARTER_RELATION = 'derived quarter close to the quarters before and after';

/** Maximum factor between the amounts of neighbouring quarters; seasonal changes are smaller. */
const MAX_NEIGHBOR_FACTOR: Decimal = '10';
/** Metrics that are never negative. Incomes are near zero in some quarters. */
const COMPARED: ReadonlySet<string> = new Set(['revenue', 'cost_of_revenue']);

/** Returns whether each derived quarter of revenue and cost is far from both the quarter before and the one after. */
export function compareDerivedQuarters(figures: readonly Figure[]) {
  const quarters = figures.filter(({ metricKey, periodKind }) => periodKind === 'quarter' && COMPARED.has(metricKey));
  return groupByMetricAndUnit(quarters).flatMap((series) => {
    const sorted = sortIfNeeded(series, (a, b) => compareText(a.end, b.end));
    return sorted.flatMap((quarter, index) => {
      const [previous, next] = [sorted[index - 1], sorted[index + 1]];
      if (!quarter.derived || previous === undefined || next === undefined) return [];
      return [{ quarter, isOutlying: isOutlying(quarter.value, [previous.value, next.value]) }];
    });
  });
}

export function findOutlyingQuarters(figures: readonly Figure[]): ReadonlySet<Figure> {
  const outlying = compareDerivedQuarters(figures).filter((compared) => compared.isOutlying);
  return new Set(outlying.map(({ quarter }) => quarter));
}

function isOutlying(value: Decimal, neighbors: readonly Decimal[]): boolean {
  const isFarAbove = neighbors.every((other) => compareDecimals(value, multiply(other, MAX_NEIGHBOR_FACTOR)) > 0);
  const isFarBelow = neighbors.every((other) => compareDecimals(multiply(value, MAX_NEIGHBOR_FACTOR), other) < 0);
  return isFarAbove || isFarBelow;
}
