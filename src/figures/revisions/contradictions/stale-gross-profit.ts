/**
 * Finds revenue, cost or gross profit that became stale, because a later filing restated the other two amounts but not
 * this one.
 */
import { add, nearlyEqual, subtract } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { FactSeries } from '../../facts/fact-series.ts';
import { groupProfitSeries, listAmountsInFiling, type ProfitSeries } from '../synonyms/gross-profit.ts';

/** Maximum difference of amounts that count as equal, as a share. */
const ROUNDING_TOLERANCE: Decimal = '0.01';

/**
 * One of revenue, cost and gross profit: its own series, the series of the other two lines, and the function that
 * computes it from them.
 */
interface ProfitLine {
  readonly ownSeries: readonly FactSeries[];
  readonly otherSeries: readonly [readonly FactSeries[], readonly FactSeries[]];
  readonly combine: (amount: Decimal, otherAmount: Decimal) => Decimal;
  /** Whether a later amount replaces the fact only if it matches the other two lines. */
  readonly requiresProof: boolean;
}

function listProfitLines({ revenues, costs, profits }: ProfitSeries): ProfitLine[] {
  return [
    { ownSeries: profits, otherSeries: [revenues, costs], combine: subtract, requiresProof: false },
    { ownSeries: costs, otherSeries: [revenues, profits], combine: subtract, requiresProof: true },
    { ownSeries: revenues, otherSeries: [costs, profits], combine: add, requiresProof: false },
  ];
}

/**
 * Yields stale revenue, costs and gross profits, each with the day of the later filing that shows it. The later filing
 * restates one or both of the other two lines; the stale amount does not match these, and the later filing does not
 * replace it.
 */
export function* findStaleLines(series: readonly FactSeries[]): Generator<[Fact, string]> {
  for (const unitSeries of groupProfitSeries(series)) {
    for (const line of listProfitLines(unitSeries)) {
      for (const period of line.ownSeries.flatMap(({ periods }) => periods)) {
        for (const fact of period.facts) {
          const day = findStaleDay(fact, line);
          if (day !== null) yield [fact, day];
        }
      }
    }
  }
}

/**
 * Yields costs that are only a part of the cost of revenue, such as the cost of products: another filing with the same
 * revenue reports a gross profit that differs from revenue less this cost. Each cost comes with the day from which both
 * filings are known.
 */
export function* findPartialCosts(series: readonly FactSeries[]): Generator<[Fact, string]> {
  for (const { revenues, costs, profits } of groupProfitSeries(series)) {
    for (const cost of costs.flatMap(({ facts }) => facts)) {
      if (listAmountsInFiling(cost.accession, cost, profits).length > 0) continue;
      const revenueAmounts = listAmountsInFiling(cost.accession, cost, revenues);
      const statedFacts = profits
        .flatMap((profit) => profit.periodOf(cost)?.facts ?? [])
        .filter(({ accession }) => hasEqualAmount(revenueAmounts, listAmountsInFiling(accession, cost, revenues)));
      const [firstDay] = statedFacts.map(({ filed }) => filed).sort();
      const isRevenueLessCost = ({ value }: Fact) =>
        revenueAmounts.some((revenue) => nearlyEqual(subtract(revenue, cost.value), value, ROUNDING_TOLERANCE));
      if (firstDay !== undefined && !statedFacts.some(isRevenueLessCost))
        yield [cost, firstDay > cost.filed ? firstDay : cost.filed];
    }
  }
}

/** Returns the day of the first later filing that makes the fact stale; null if no filing does. */
function findStaleDay(fact: Fact, { ownSeries, otherSeries, combine, requiresProof }: ProfitLine): string | null {
  const laterFacts = otherSeries[0]
    .flatMap((factSeries) => factSeries.periodOf(fact)?.facts ?? [])
    .filter(({ filed }) => filed > fact.filed)
    .sort((a, b) => (a.filed < b.filed ? -1 : 1));
  if (laterFacts.length === 0) return null;
  const [firstAmounts, secondAmounts] = otherSeries.map((series) =>
    listAmountsInFiling(fact.accession, fact, series),
  ) as [Decimal[], Decimal[]];
  if (firstAmounts.length === 0 && secondAmounts.length === 0) return null;
  for (const [accession, [filing]] of groupBy(laterFacts, (fact) => fact.accession)) {
    const [laterFirstAmounts, laterSecondAmounts] = otherSeries.map((series) =>
      listAmountsInFiling(accession, fact, series),
    ) as [Decimal[], Decimal[]];
    if (filing === undefined || laterFirstAmounts.length === 0 || laterSecondAmounts.length === 0) continue;
    const isRestated =
      isDifferentAmount(laterFirstAmounts, firstAmounts) || isDifferentAmount(laterSecondAmounts, secondAmounts);
    if (!isRestated) continue;
    const isCombination = (amount: Decimal) =>
      laterFirstAmounts.some((firstAmount) =>
        laterSecondAmounts.some((secondAmount) =>
          nearlyEqual(combine(firstAmount, secondAmount), amount, ROUNDING_TOLERANCE),
        ),
      );
    if (isCombination(fact.value)) continue;
    const amounts = listAmountsInFiling(accession, fact, ownSeries);
    const isReplaced = requiresProof ? amounts.some(isCombination) : amounts.length > 0;
    if (!isReplaced) return filing.filed;
  }
  return null;
}

/** Whether earlier amounts exist and none of them equals one of the amounts. */
function isDifferentAmount(amounts: readonly Decimal[], earlierAmounts: readonly Decimal[]): boolean {
  return earlierAmounts.length > 0 && !hasEqualAmount(amounts, earlierAmounts);
}

/** Whether an amount of one list equals an amount of the other list, within rounding. */
function hasEqualAmount(amounts: readonly Decimal[], otherAmounts: readonly Decimal[]): boolean {
  return amounts.some((amount) =>
    otherAmounts.some((otherAmount) => nearlyEqual(amount, otherAmount, ROUNDING_TOLERANCE)),
  );
}
