/**
 * Finds revenue, cost or gross profit that became stale, because a later filing restated one or both of the other two
 * amounts but not the stale amount.
 */
import { add, isNearlyEqual, subtract } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { groupBy } from '../../../platform/collections.ts';
import { groupProfitSeries, listAmountsInFiling, type ProfitSeries } from '../../evidence/gross-profit.ts';
import type { FactSeries, PeriodFacts } from '../../facts/fact-series.ts';
import { detectPeriodKind } from '../../periods/period-kind.ts';

/** Maximum difference between two amounts that count as equal, as a fraction of either amount. */
const ROUNDING_TOLERANCE: Decimal = '0.005';

/**
 * One of the lines revenue, cost and gross profit: the series of this line, the series of the other two lines, and the
 * function that computes the amount of this line from the other two.
 */
interface ProfitLine {
  readonly lineSeries: readonly FactSeries[];
  readonly seriesOfOtherLines: readonly [readonly FactSeries[], readonly FactSeries[]];
  readonly combine: (amount: Decimal, otherAmount: Decimal) => Decimal;
  /** If true, only an amount that matches the other two lines of its filing replaces an earlier amount of this line. */
  readonly requiresProof: boolean;
}

function listProfitLines({ revenues, costs, profits }: ProfitSeries): ProfitLine[] {
  return [
    { lineSeries: profits, seriesOfOtherLines: [revenues, costs], combine: subtract, requiresProof: false },
    { lineSeries: costs, seriesOfOtherLines: [revenues, profits], combine: subtract, requiresProof: true },
    { lineSeries: revenues, seriesOfOtherLines: [costs, profits], combine: add, requiresProof: false },
  ];
}

/**
 * Yields stale revenue, costs and gross profits, each with the day from which filings show the amount to be stale. If a
 * quarter is stale, so are the half year and the nine months in its filing.
 */
export function* findStaleLines(series: readonly FactSeries[]): Generator<[Fact, string]> {
  for (const profitSeriesOfUnit of groupProfitSeries(series)) {
    for (const profitLine of listProfitLines(profitSeriesOfUnit))
      for (const ownSeries of profitLine.lineSeries) yield* findStaleFacts(ownSeries, profitLine);
    for (const ownSeries of profitSeriesOfUnit.profits) {
      yield* findProfitsOfEarlierRevenue(ownSeries, profitSeriesOfUnit);
      yield* findProfitsOfPartialRevenue(ownSeries, profitSeriesOfUnit);
    }
  }
}

function* findStaleFacts(ownSeries: FactSeries, profitLine: ProfitLine): Generator<[Fact, string]> {
  for (const period of ownSeries.periods) {
    // Skips most periods: all filings report the same value of each of the other lines, so none was restated.
    if (profitLine.seriesOfOtherLines.every((otherSeries) => hasOneValue(otherSeries, period))) continue;
    for (const fact of period.facts) {
      const day = findStaleDay(fact, profitLine);
      if (day === null) continue;
      for (const staleFact of [fact, ...listContainingFacts(fact, ownSeries)]) yield [staleFact, day];
    }
  }
}

/** Whether all facts of the period have the same value, or the period has no facts. */
function hasOneValue(series: readonly FactSeries[], period: PeriodFacts): boolean {
  let firstValue: Decimal | undefined;
  for (const factSeries of series) {
    const periodFacts = factSeries.getPeriod(period);
    if (periodFacts === undefined) continue;
    const value = periodFacts.facts[0]?.value;
    if (periodFacts.isDisputed || (firstValue !== undefined && value !== firstValue)) return false;
    firstValue = value;
  }
  return true;
}

/** Returns the facts of half years and nine months that contain a quarter and are from the same filing. */
function listContainingFacts(quarter: Fact, { facts }: FactSeries): Fact[] {
  if (detectPeriodKind(quarter.start, quarter.end) !== 'quarter') return [];
  return facts.filter(({ accession, start, end }) => {
    if (accession !== quarter.accession || start === null || quarter.start === null) return false;
    if (start > quarter.start || end < quarter.end) return false;
    const kind = detectPeriodKind(start, end);
    return kind === 'half' || kind === 'nine_month';
  });
}

/**
 * Yields stale gross profits, each with the day of a later filing that restates the period's revenue but states no cost
 * and no gross profit. If a quarter is stale, also yields the half year and the nine months that contain the quarter.
 */
function* findProfitsOfEarlierRevenue(
  ownSeries: FactSeries,
  { revenues, costs, profits }: ProfitSeries,
): Generator<[Fact, string]> {
  for (const profitFact of ownSeries.facts) {
    if (!costs.some((costSeries) => costSeries.getPeriod(profitFact) !== undefined)) continue;
    const revenuesInSameFiling = listAmountsInFiling(profitFact.accession, profitFact, revenues);
    if (revenuesInSameFiling.length === 0) continue;
    const laterRevenues = revenues
      .flatMap((revenueSeries) => revenueSeries.getPeriod(profitFact)?.facts ?? [])
      .filter(({ filed, accession }) => {
        const listAmounts = (series: readonly FactSeries[]) => listAmountsInFiling(accession, profitFact, series);
        if (filed <= profitFact.filed || hasEqualAmount(listAmounts(revenues), revenuesInSameFiling)) return false;
        return listAmounts(costs).length === 0 && listAmounts(profits).length === 0;
      });
    const [day] = laterRevenues.map(({ filed }) => filed).sort();
    if (day === undefined) continue;
    for (const staleFact of [profitFact, ...listContainingFacts(profitFact, ownSeries)]) yield [staleFact, day];
  }
}

/** Maximum relative difference between a gross profit rounded to millions and revenue less cost. */
const MILLIONS_TOLERANCE: Decimal = '0.0005';

/**
 * Yields gross profits that equal a part of revenue less the cost, but not total revenue less the cost. Another filing
 * proves this: it states the cost, the part and the total, while the gross profit's filing states no cost. Each gross
 * profit comes with the day from which both filings are known.
 */
function* findProfitsOfPartialRevenue(
  ownSeries: FactSeries,
  { revenues, costs }: ProfitSeries,
): Generator<[Fact, string]> {
  for (const grossProfitFact of ownSeries.facts) {
    if (listAmountsInFiling(grossProfitFact.accession, grossProfitFact, costs).length > 0) continue;
    const costFacts = costs.flatMap((costSeries) => costSeries.getPeriod(grossProfitFact)?.facts ?? []);
    const [day] = costFacts
      .filter(({ accession, value: cost }) => {
        const statedRevenues = listAmountsInFiling(accession, grossProfitFact, revenues);
        const isProfitOfRevenue = (revenue: Decimal, tolerance: Decimal) =>
          isNearlyEqual(subtract(revenue, cost), grossProfitFact.value, tolerance);
        const totalRevenue = statedRevenues.reduce(
          (largestSoFar, amount) => (compareDecimals(amount, largestSoFar) > 0 ? amount : largestSoFar),
          cost,
        );
        return (
          !isProfitOfRevenue(totalRevenue, ROUNDING_TOLERANCE) &&
          statedRevenues.some((amount) => isProfitOfRevenue(amount, MILLIONS_TOLERANCE))
        );
      })
      .map(({ filed }) => filed)
      .sort();
    if (day !== undefined) yield [grossProfitFact, day > grossProfitFact.filed ? day : grossProfitFact.filed];
  }
}

/**
 * Yields costs that are only a part of the cost of revenue, such as the cost of products: another filing with the same
 * revenue reports a gross profit that differs from revenue less this cost. Each cost comes with the day from which both
 * filings are known.
 */
export function* findPartialCosts(series: readonly FactSeries[]): Generator<[Fact, string]> {
  for (const { revenues, costs, profits } of groupProfitSeries(series)) {
    for (const costFact of costs.flatMap(({ facts }) => facts)) {
      if (listAmountsInFiling(costFact.accession, costFact, profits).length > 0) continue;
      const revenueAmounts = listAmountsInFiling(costFact.accession, costFact, revenues);
      const statedProfitFacts = profits
        .flatMap((profitSeries) => profitSeries.getPeriod(costFact)?.facts ?? [])
        .filter(({ accession }) => hasEqualAmount(revenueAmounts, listAmountsInFiling(accession, costFact, revenues)));
      const [firstDay] = statedProfitFacts.map(({ filed }) => filed).sort();
      const isRevenueLessCost = ({ value }: Fact) =>
        revenueAmounts.some((revenue) => isNearlyEqual(subtract(revenue, costFact.value), value, ROUNDING_TOLERANCE));
      if (firstDay !== undefined && !statedProfitFacts.some(isRevenueLessCost))
        yield [costFact, firstDay > costFact.filed ? firstDay : costFact.filed];
    }
  }
}

/** Returns the day of the first later filing that makes the fact stale; null if no filing does. */
function findStaleDay(
  fact: Fact,
  { lineSeries, seriesOfOtherLines, combine, requiresProof }: ProfitLine,
): string | null {
  const laterFacts = seriesOfOtherLines[0]
    .flatMap((factSeries) => factSeries.getPeriod(fact)?.facts ?? [])
    .filter(({ filed }) => filed > fact.filed)
    .sort((a, b) => (a.filed < b.filed ? -1 : 1));
  if (laterFacts.length === 0) return null;
  const listAmountsOfOtherLines = (accession: string): AmountsOfLines => [
    listAmountsInFiling(accession, fact, seriesOfOtherLines[0]),
    listAmountsInFiling(accession, fact, seriesOfOtherLines[1]),
  ];
  const earlierAmounts = listAmountsOfOtherLines(fact.accession);
  if (earlierAmounts.every((amounts) => amounts.length === 0)) return null;
  for (const [accession, [firstLaterFact]] of groupBy(laterFacts, (fact) => fact.accession)) {
    const laterAmounts = listAmountsOfOtherLines(accession);
    if (firstLaterFact === undefined || !areOtherLinesRestated(laterAmounts, earlierAmounts)) continue;
    const isCombinationOfOtherLines = (amount: Decimal) =>
      laterAmounts[0].some((firstAmount) =>
        laterAmounts[1].some((secondAmount) =>
          isNearlyEqual(combine(firstAmount, secondAmount), amount, ROUNDING_TOLERANCE),
        ),
      );
    if (isCombinationOfOtherLines(fact.value)) continue;
    const amounts = listAmountsInFiling(accession, fact, lineSeries);
    const isReplaced = requiresProof ? amounts.some(isCombinationOfOtherLines) : amounts.length > 0;
    if (!isReplaced) return firstLaterFact.filed;
  }
  return null;
}

/** The amounts of two lines in one filing; a filing may tag a line with several concepts. */
type AmountsOfLines = readonly [first: readonly Decimal[], second: readonly Decimal[]];

/** Whether the later filing states both lines, and states one of them with another amount than the earlier filing. */
function areOtherLinesRestated(
  [laterFirstAmounts, laterSecondAmounts]: AmountsOfLines,
  [earlierFirstAmounts, earlierSecondAmounts]: AmountsOfLines,
): boolean {
  if (laterFirstAmounts.length === 0 || laterSecondAmounts.length === 0) return false;
  return (
    isDifferentAmount(laterFirstAmounts, earlierFirstAmounts) ||
    isDifferentAmount(laterSecondAmounts, earlierSecondAmounts)
  );
}

/** Whether earlier amounts exist, and no earlier amount equals any of `amounts`. */
function isDifferentAmount(amounts: readonly Decimal[], earlierAmounts: readonly Decimal[]): boolean {
  return earlierAmounts.length > 0 && !hasEqualAmount(amounts, earlierAmounts);
}

/** Whether an amount of one list equals an amount of the other list, within rounding. */
function hasEqualAmount(amounts: readonly Decimal[], otherAmounts: readonly Decimal[]): boolean {
  return amounts.some((amount) =>
    otherAmounts.some((otherAmount) => isNearlyEqual(amount, otherAmount, ROUNDING_TOLERANCE)),
  );
}
