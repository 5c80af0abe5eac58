/**
 * Decides which concept supplies the value of a metric, if a filing reports the metric by several concepts for one
 * period.
 */

import { add, multiply } from '../../contract/decimal.ts';
import { type Decimal, isEqual } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { groupBy } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { type FactSeries, findFirstMatchingFilingDay } from '../facts/fact-series.ts';
import { listMappingsOfMetric } from '../metrics/concepts.ts';
import { detectKindOfLength, isQuarterLength } from '../periods/period-kind.ts';
import { createCapitalExpenditureChoosers } from './capital-expenditures.ts';
import { createDebtChoosers } from './debt.ts';
import { createDepreciationChoosers } from './depreciation.ts';
import { type AmountChooser, type AmountLookup, createAmountLookup, type FilingAmounts } from './filing-amounts.ts';
import {
  type CandidateChoice,
  type FilingCandidates,
  isBelow,
  isNonEmpty,
  preferNonZeroCandidates,
  putBestFirst,
  selectLargest,
} from './filing-candidates.ts';
import { createPartialAmountChoosers } from './partial-amounts.ts';

export type ConceptChooser = (candidates: FilingCandidates) => CandidateChoice;

const TOTAL_REVENUE_CONCEPT = 'Revenues';
const CONTRACT_REVENUE_CONCEPT = 'RevenueFromContractWithCustomerExcludingAssessedTax';
const PROFIT_CONCEPT = 'GrossProfit';
const COST_CONCEPTS = ['CostOfRevenue', 'CostOfGoodsAndServicesSold', 'CostOfGoodsSold', 'CostOfSales'];

const QUARTERS_PER_YEAR = 4;
/** Minimum ratio of a sum of rounded lines to their rounded total. */
const MIN_ROUNDED_RATIO: Decimal = '0.99';

const REVENUE_CONCEPTS = [...new Set(listMappingsOfMetric('revenue').map(({ concept }) => concept))];

/**
 * Returns a chooser that orders candidates by concept, unless the filing's other amounts contradict this order:
 * - A nonzero amount precedes zero.
 * - Revenue is the amount that equals gross profit plus cost; otherwise, amounts below gross profit are excluded, and
 *   amounts below cost if a larger revenue exists. `Revenues` may be below revenue from contracts because of rebates
 *   and hedges. Such an amount is the total if the filer reported its total as `Revenues` before, otherwise a part.
 * - Cost of revenue is the amount that equals revenue less gross profit; otherwise the largest amount. No amount is
 *   chosen if gross profit shows that even the largest amount is only a part.
 * - Rules for other metrics: `depreciation.ts`, `capital-expenditures.ts`, `debt.ts` and `partial-amounts.ts`.
 */
export function createSynonymChooser(series: readonly FactSeries[]): ConceptChooser {
  const findAmounts = createAmountLookup(series);
  const firstTotalRevenueFilingDay = findFirstTotalRevenueFilingDay(series, findAmounts);
  const chooserByMetric = new Map<string, AmountChooser>([
    ['revenue', (candidates, amounts) => chooseRevenue(candidates, amounts, firstTotalRevenueFilingDay)],
    ['cost_of_revenue', chooseCost],
    ...createDepreciationChoosers(series, findAmounts),
    ...createCapitalExpenditureChoosers(series, findAmounts),
    ...createDebtChoosers(series, findAmounts),
    ...createPartialAmountChoosers(series, findAmounts),
  ]);
  return (candidates) => {
    const [{ mapping, fact }] = candidates;
    const chooseCandidate = chooserByMetric.get(mapping.metricKey);
    return chooseCandidate === undefined
      ? putBestFirst(preferNonZeroCandidates(candidates))
      : chooseCandidate(candidates, findAmounts(fact));
  };
}

function chooseRevenue(
  candidates: FilingCandidates,
  amounts: FilingAmounts,
  firstDayOfTotal: string | null,
): CandidateChoice {
  const profit = amounts.get(PROFIT_CONCEPT);
  const costs = listAmounts(COST_CONCEPTS, amounts);
  if (profit !== undefined) {
    const exactCandidates = candidates.filter(({ fact }) =>
      costs.some((cost) => isEqual(add(profit, cost), fact.value)),
    );
    if (isNonEmpty(exactCandidates)) return putBestFirst(exactCandidates);
  }
  // A loss-making company may have revenue below cost, so such revenue is excluded only if a larger revenue exists.
  const possibleCandidates = candidates.filter(({ fact }) => !costs.some((cost) => isBelow(fact.value, cost)));
  const [firstCandidate, ...otherCandidates] = preferNonZeroCandidates(
    isNonEmpty(possibleCandidates) ? possibleCandidates : candidates,
  ).filter(({ fact }) => profit === undefined || !isBelow(fact.value, profit));
  if (firstCandidate === undefined) return 'revenue that is less than the gross profit in the same filing';
  const orderedCandidates = putBestFirst([firstCandidate, ...otherCandidates]);
  const [bestCandidate] = orderedCandidates;
  if (bestCandidate.fact.concept !== TOTAL_REVENUE_CONCEPT) return orderedCandidates;
  const contractRevenueCandidate = orderedCandidates.find(({ fact }) => fact.concept === CONTRACT_REVENUE_CONCEPT);
  if (contractRevenueCandidate === undefined || !isBelow(bestCandidate.fact.value, contractRevenueCandidate.fact.value))
    return orderedCandidates;
  if (firstDayOfTotal !== null && firstDayOfTotal < bestCandidate.fact.filed) return orderedCandidates;
  return [
    contractRevenueCandidate,
    ...orderedCandidates.filter((otherCandidate) => otherCandidate !== contractRevenueCandidate),
  ];
}

function chooseCost(candidates: FilingCandidates, amounts: FilingAmounts): CandidateChoice {
  const profit = amounts.get(PROFIT_CONCEPT);
  const revenues = listAmounts(REVENUE_CONCEPTS, amounts);
  if (profit === undefined || revenues.length === 0)
    return candidates.length === 1 ? candidates : selectLargest(candidates);
  const exactCandidates = candidates.filter(({ fact }) =>
    revenues.some((revenue) => isEqual(add(profit, fact.value), revenue)),
  );
  if (isNonEmpty(exactCandidates)) return putBestFirst(exactCandidates);
  const largestCandidates = selectLargest(candidates);
  const profitPlusCost = add(profit, largestCandidates[0].fact.value);
  const hasMatchingRevenue = revenues.some(
    (revenue) =>
      !isBelow(profitPlusCost, multiply(revenue, MIN_ROUNDED_RATIO)) &&
      !isBelow(revenue, multiply(profitPlusCost, MIN_ROUNDED_RATIO)),
  );
  return !hasMatchingRevenue && revenues.some((revenue) => isBelow(profitPlusCost, revenue))
    ? 'cost of revenue that contradicts the gross profit in the same filing'
    : largestCandidates;
}

function listAmounts(concepts: readonly string[], amounts: FilingAmounts): Decimal[] {
  const foundAmounts: Decimal[] = [];
  for (const concept of concepts) {
    const amount = amounts.get(concept);
    if (amount !== undefined) foundAmounts.push(amount);
  }
  return foundAmounts;
}

/**
 * Returns the day of the first filing that reports its total revenue as `Revenues`, with no larger revenue from
 * contracts; null if no filing reports such a total.
 */
function findFirstTotalRevenueFilingDay(series: readonly FactSeries[], findAmounts: AmountLookup): string | null {
  return findFirstMatchingFilingDay(series, TOTAL_REVENUE_CONCEPT, (fact) => {
    const contractRevenue = findAmounts(fact).get(CONTRACT_REVENUE_CONCEPT);
    return contractRevenue === undefined || !isBelow(fact.value, contractRevenue);
  });
}

/** Quarterly amounts that filings tag as the company's, but that belong to a part of the company. */
export interface PartialQuarters {
  /** Revenues of the part, such as a finance arm. */
  readonly partFacts: ReadonlySet<Fact>;
  /** Revenues and gross profits of the company without the part. */
  readonly factsWithoutPart: ReadonlySet<Fact>;
}

/**
 * Finds four quarters of a filing whose revenues add up to less than half of the year's revenue: they belong to a part
 * of the company, such as a finance arm. Other revenues and gross profits of these quarters exclude the part. Concepts
 * with the year's whole revenue are an exception.
 */
export function findPartialQuarters(series: readonly FactSeries[]): PartialQuarters {
  const partialQuarters = { partFacts: new Set<Fact>(), factsWithoutPart: new Set<Fact>() };
  const revenueSeries = series.filter(({ mappings }) => mappings.some(({ metricKey }) => metricKey === 'revenue'));
  const profitSeries = series.filter(({ concept }) => concept === PROFIT_CONCEPT);
  for (const reportedFacts of revenueSeries.flatMap(({ facts }) => [
    ...groupBy(facts, ({ accession }) => accession).values(),
  ])) {
    // Most filings report fewer periods than a year and its four quarters.
    if (reportedFacts.length <= QUARTERS_PER_YEAR) continue;
    const quarterFacts = reportedFacts.filter((fact) => fact.start !== null && isQuarterLength(fact.start, fact.end));
    if (quarterFacts.length < QUARTERS_PER_YEAR) continue;
    for (const yearFact of reportedFacts) {
      const { start, end } = yearFact;
      if (start === null || detectKindOfLength(countDaysBetween(start, end) + 1) !== 'annual') continue;
      const quartersOfYear = quarterFacts.filter((quarter) => (quarter.start ?? '') >= start && quarter.end <= end);
      if (quartersOfYear.length !== QUARTERS_PER_YEAR) continue;
      const quartersTotal = quartersOfYear.reduce<Decimal>((total, { value }) => add(total, value), '0');
      if (!isBelow(add(quartersTotal, quartersTotal), yearFact.value)) continue;
      for (const partFact of quartersOfYear) partialQuarters.partFacts.add(partFact);
      for (const fact of findQuartersWithoutPart([...revenueSeries, ...profitSeries], yearFact, quartersOfYear))
        partialQuarters.factsWithoutPart.add(fact);
    }
  }
  return partialQuarters;
}

/**
 * Yields the filing's other revenues and gross profits of the quarters in `quartersOfPart`. Skips concepts whose amount
 * of the year equals the year's revenue, because their quarterly amounts are the whole company's.
 */
function* findQuartersWithoutPart(
  series: readonly FactSeries[],
  year: Fact,
  quartersOfPart: readonly Fact[],
): Generator<Fact> {
  for (const factSeries of series) {
    const listFactsInFiling = (period: Fact) =>
      factSeries.unit === year.unit ? (factSeries.getPeriod(period)?.findFactsOfFiling(year.accession) ?? []) : [];
    if (listFactsInFiling(year).some(({ value }) => isEqual(value, year.value))) continue;
    for (const partQuarter of quartersOfPart) yield* listFactsInFiling(partQuarter);
  }
}
