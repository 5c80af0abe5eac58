/**
 * Finds gross profits that are not a line of their filing's income statement. Such a gross profit belongs to another
 * revenue or cost than the ones in the income statement.
 */
import { isNearlyEqual, subtract } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { groupBy } from '../../platform/collections.ts';
import type { FactSeries } from '../facts/fact-series.ts';
import { listConceptsOfMetric } from '../metrics/concepts.ts';
import { detectPeriodKind } from '../periods/period-kind.ts';
import { groupByPeriod } from '../periods/period-map.ts';
import { createAmountLookup } from './filing-amounts.ts';

const [REVENUES, COSTS] = [listConceptsOfMetric('revenue'), listConceptsOfMetric('cost_of_revenue')];
const PROFITS = listConceptsOfMetric('gross_profit');
/** Maximum relative difference between amounts that count as equal. */
const ROUNDING_TOLERANCE: Decimal = '0.01';

/**
 * Returns gross profits that come from notes (for example after amortization) or from a part of revenue (for example
 * without membership fees). They differ from revenue less cost, and at least half of the filing's equally long periods
 * with revenue and cost have no gross profit.
 */
export function findProfitsInNotes(series: readonly FactSeries[]): ReadonlySet<Fact> {
  const listFacts = (concepts: readonly string[]) =>
    series.flatMap(({ concept, facts }) => (concepts.includes(concept) ? facts : []));
  const profits = listFacts(PROFITS);
  if (profits.length === 0) return new Set();
  const findAmounts = createAmountLookup(series);
  const isRevenueLessCost = (profit: Fact) => {
    const amounts = findAmounts(profit);
    const costs = amounts.list(COSTS);
    const isDifference = (revenue: Decimal) =>
      costs.some((cost) => isNearlyEqual(subtract(revenue, cost), profit.value, ROUNDING_TOLERANCE));
    return amounts.list(REVENUES).some(isDifference);
  };
  const costsByFiling = groupBy(listFacts(COSTS), makeFilingKey);
  const isInNotes = (profit: Fact) => {
    if (isRevenueLessCost(profit)) return false;
    const costs = costsByFiling.get(makeFilingKey(profit)) ?? [];
    const completeCosts = costs.filter((cost) => findAmounts(cost).list(REVENUES).length > 0);
    const kind = detectPeriodKind(profit.start, profit.end);
    const ofKind = completeCosts.filter(({ start, end }) => detectPeriodKind(start, end) === kind);
    const periods = groupByPeriod(ofKind.length > 0 ? ofKind : completeCosts);
    const withoutProfit = periods.filter(([cost]) => findAmounts(cost).list(PROFITS).length === 0);
    return withoutProfit.length > 0 && withoutProfit.length * 2 >= periods.length;
  };
  return new Set(profits.filter(isInNotes));
}

const makeFilingKey = ({ accession, unit }: Fact): string => `${accession} ${unit}`;
