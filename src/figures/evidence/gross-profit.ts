/**
 * Finds gross profits that are not a line of their filing's income statement. Such a gross profit belongs to another
 * revenue or cost than the ones in the income statement.
 */
import { isNearlyEqual, subtract } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { groupBy } from '../../platform/collections.ts';
import type { FactSeries, PeriodFacts } from '../facts/fact-series.ts';
import { listMappingsOfMetric } from '../metrics/concepts.ts';
import { detectPeriodKind } from '../periods/period-kind.ts';

const collectConceptNames = (key: string): ReadonlySet<string> =>
  new Set(listMappingsOfMetric(key).map(({ concept }) => concept));
const REVENUE_CONCEPTS = collectConceptNames('revenue');
const COST_CONCEPTS = collectConceptNames('cost_of_revenue');
const PROFIT_CONCEPTS = collectConceptNames('gross_profit');
/** Maximum relative difference between amounts that count as equal. */
const ROUNDING_TOLERANCE: Decimal = '0.01';

/** The series of revenue, cost of revenue and gross profit in one unit. */
export interface ProfitSeries {
  readonly unit: string;
  readonly revenues: readonly FactSeries[];
  readonly costs: readonly FactSeries[];
  readonly profits: readonly FactSeries[];
}

/** Returns the series of each unit in which the company reports gross profit. */
export function groupProfitSeries(series: readonly FactSeries[]): ProfitSeries[] {
  const units = new Set(series.filter(({ concept }) => PROFIT_CONCEPTS.has(concept)).map(({ unit }) => unit));
  return [...units].map((unit) => {
    const selectSeriesWith = (concepts: ReadonlySet<string>) =>
      series.filter((factSeries) => factSeries.unit === unit && concepts.has(factSeries.concept));
    return {
      unit,
      revenues: selectSeriesWith(REVENUE_CONCEPTS),
      costs: selectSeriesWith(COST_CONCEPTS),
      profits: selectSeriesWith(PROFIT_CONCEPTS),
    };
  });
}

const makePeriodKey = ({ start, end }: Pick<PeriodFacts, 'start' | 'end'>): string => `${start} ${end}`;

/** Returns the amounts that a filing reports for a period in any of the series. */
export function listAmountsInFiling(
  accession: string,
  period: Pick<PeriodFacts, 'start' | 'end'>,
  series: readonly FactSeries[],
): Decimal[] {
  const amounts: Decimal[] = [];
  for (const factSeries of series)
    for (const { value } of factSeries.getPeriod(period)?.findFactsOfFiling(accession) ?? []) amounts.push(value);
  return amounts;
}

/** Whether the gross profit equals a revenue less a cost, within rounding. */
export function isRevenueLessCost(profit: Decimal, revenues: readonly Decimal[], costs: readonly Decimal[]): boolean {
  return revenues.some((revenue) =>
    costs.some((cost) => isNearlyEqual(subtract(revenue, cost), profit, ROUNDING_TOLERANCE)),
  );
}

/**
 * Returns gross profits that come from notes (for example after amortization) or from a part of revenue (for example
 * without membership fees). They differ from revenue less cost, and at least half of the filing's equally long periods
 * with revenue and cost have no gross profit.
 */
export function findProfitsInNotes(series: readonly FactSeries[]): ReadonlySet<Fact> {
  const profitFactsInNotes = new Set<Fact>();
  for (const { revenues, costs, profits } of groupProfitSeries(series)) {
    const profitFacts = profits.flatMap(({ facts }) => facts);
    const costsByFiling = groupBy(
      costs.flatMap(({ facts }) => facts),
      (fact) => fact.accession,
    );
    for (const [accession, ownFacts] of groupBy(profitFacts, (fact) => fact.accession)) {
      const unprovenFacts = ownFacts.filter(
        (fact) =>
          !isRevenueLessCost(
            fact.value,
            listAmountsInFiling(accession, fact, revenues),
            listAmountsInFiling(accession, fact, costs),
          ),
      );
      if (unprovenFacts.length === 0) continue;
      const periodsWithRevenueAndCost = (costsByFiling.get(accession) ?? []).filter(
        (cost) => listAmountsInFiling(accession, cost, revenues).length > 0,
      );
      for (const fact of unprovenFacts) {
        const periodsOfSameKind = periodsWithRevenueAndCost.filter(
          ({ start, end }) => detectPeriodKind(start, end) === detectPeriodKind(fact.start, fact.end),
        );
        const periodKeys = new Set(
          (periodsOfSameKind.length > 0 ? periodsOfSameKind : periodsWithRevenueAndCost).map(makePeriodKey),
        );
        const periodKeysWithoutProfit = [...periodKeys].filter(
          (key) => !ownFacts.some((otherFact) => makePeriodKey(otherFact) === key),
        );
        if (periodKeysWithoutProfit.length > 0 && periodKeysWithoutProfit.length * 2 >= periodKeys.size)
          profitFactsInNotes.add(fact);
      }
    }
  }
  return profitFactsInNotes;
}
