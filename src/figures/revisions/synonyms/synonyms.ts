/** Decides which of several concepts a filing means when it reports one metric and period by more than one. */

import { add, multiply } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { groupBy } from '../../../platform/collections.ts';
import { daysBetween } from '../../../platform/dates.ts';
import { type FactSeries, firstFiled } from '../../facts/fact-series.ts';
import { conceptsOf } from '../../metrics/concepts.ts';
import { isQuarterLength, kindOfLength } from '../../periods/period-kind.ts';
import { type AmountChooser, type Amounts, type AmountsBeside, amountsBeside } from './amounts-beside.ts';
import { capitalExpenditureChoosers } from './capital-expenditures.ts';
import { debtChoosers } from './debt.ts';
import { depreciationChoosers } from './depreciation.ts';
import {
  bestFirst,
  type Choice,
  type FilingCandidates,
  isBelow,
  isFilled,
  largest,
  withoutZeros,
} from './filing-candidates.ts';
import { partChoosers } from './partial-amounts.ts';

export type ConceptChooser = (candidates: FilingCandidates) => Choice;

const TOTAL = 'Revenues';
const CONTRACTS = 'RevenueFromContractWithCustomerExcludingAssessedTax';
const PROFIT = 'GrossProfit';
const COSTS = ['CostOfRevenue', 'CostOfGoodsAndServicesSold', 'CostOfGoodsSold', 'CostOfSales'];

const QUARTERS = 4;
/** Minimum ratio of the sum of rounded lines to their total. */
const ROUNDED: Decimal = '0.99';

const REVENUES = [...new Set(conceptsOf('revenue').map(({ concept }) => concept))];

/**
 * Orders candidates by concept, unless the filing's other figures contradict the order:
 * - A nonzero amount precedes zero.
 * - Revenue is the amount that equals gross profit plus cost; otherwise, none below either of them. `Revenues` below
 * revenue from contracts is the total if the filer has used it so before (rebates and hedges), otherwise a part.
 * - Cost of revenue is the amount that equals revenue less gross profit; otherwise the largest, unless gross profit
 * shows that it is a part too.
 * - Other metrics: `depreciation.ts`, `capital-expenditures.ts`, `debt-synonyms.ts` and `partial-amounts.ts`.
 */
export function synonymChooser(series: readonly FactSeries[]): ConceptChooser {
  const beside = amountsBeside(series);
  const totalSince = firstTotal(series, beside);
  const choosers = new Map<string, AmountChooser>([
    ['revenue', (candidates, amounts) => chooseRevenue(candidates, amounts, totalSince)],
    ['cost_of_revenue', chooseCost],
    ...depreciationChoosers(series, beside),
    ...capitalExpenditureChoosers(series, beside),
    ...debtChoosers(series, beside),
    ...partChoosers(series, beside),
  ]);
  return (candidates) => {
    const [{ mapping, fact }] = candidates;
    const choose = choosers.get(mapping.metricKey);
    return choose === undefined ? bestFirst(withoutZeros(candidates)) : choose(candidates, beside(fact));
  };
}

function chooseRevenue(candidates: FilingCandidates, amounts: Amounts, totalSince: string | null): Choice {
  const profit = amounts.get(PROFIT);
  const costs = amountsOf(COSTS, amounts);
  if (profit !== undefined) {
    const exact = candidates.filter(({ fact }) => costs.some((cost) => add(profit, cost) === fact.value));
    if (isFilled(exact)) return bestFirst(exact);
  }
  // A loss may have revenue below its cost: revenue is a part only if there is a larger one.
  const possibleCandidates = candidates.filter(({ fact }) => !costs.some((cost) => isBelow(fact.value, cost)));
  const [firstCandidate, ...otherCandidates] = withoutZeros(
    isFilled(possibleCandidates) ? possibleCandidates : candidates,
  ).filter(({ fact }) => profit === undefined || !isBelow(fact.value, profit));
  if (firstCandidate === undefined) return 'revenue that is less than the gross profit in the same filing';
  const ordered = bestFirst([firstCandidate, ...otherCandidates]);
  const [bestCandidate] = ordered;
  if (bestCandidate.fact.concept !== TOTAL) return ordered;
  const contracts = ordered.find(({ fact }) => fact.concept === CONTRACTS);
  if (contracts === undefined || !isBelow(bestCandidate.fact.value, contracts.fact.value)) return ordered;
  if (totalSince !== null && totalSince < bestCandidate.fact.filed) return ordered;
  return [contracts, ...ordered.filter((otherCandidate) => otherCandidate !== contracts)];
}

function chooseCost(candidates: FilingCandidates, amounts: Amounts): Choice {
  const profit = amounts.get(PROFIT);
  const revenues = amountsOf(REVENUES, amounts);
  if (profit === undefined || revenues.length === 0) return candidates.length === 1 ? candidates : largest(candidates);
  const exact = candidates.filter(({ fact }) => revenues.includes(add(profit, fact.value)));
  if (isFilled(exact)) return bestFirst(exact);
  const chosen = largest(candidates);
  const sum = add(profit, chosen[0].fact.value);
  const agrees = revenues.some(
    (revenue) => !isBelow(sum, multiply(revenue, ROUNDED)) && !isBelow(revenue, multiply(sum, ROUNDED)),
  );
  return !agrees && revenues.some((revenue) => isBelow(sum, revenue))
    ? 'cost of revenue that contradicts the gross profit in the same filing'
    : chosen;
}

function amountsOf(concepts: readonly string[], amounts: Amounts): Decimal[] {
  return concepts.map((concept) => amounts.get(concept)).filter((amount) => amount !== undefined);
}

/**
 * The day of the first filing that reports its total as `Revenues`, without larger revenue from contracts; otherwise
 * null.
 */
function firstTotal(series: readonly FactSeries[], beside: AmountsBeside): string | null {
  return firstFiled(series, TOTAL, (fact) => {
    const contracts = beside(fact).get(CONTRACTS);
    return contracts === undefined || !isBelow(fact.value, contracts);
  });
}

/**
 * Revenues of quarters, reported together with their year, that make up less than half of it: those of a part, such
 * as a finance arm, which the filing tags as the whole.
 */
export function quartersOfParts(series: readonly FactSeries[]): ReadonlySet<Fact> {
  const foundFacts = new Set<Fact>();
  const revenues = series.filter(({ mappings }) => mappings.some(({ metricKey }) => metricKey === 'revenue'));
  for (const reportedFacts of revenues.flatMap(({ facts }) => [
    ...groupBy(facts, ({ accession }) => accession).values(),
  ])) {
    const quarters = reportedFacts.filter((fact) => fact.start !== null && isQuarterLength(fact.start, fact.end));
    if (quarters.length < QUARTERS) continue;
    for (const year of reportedFacts) {
      const { start, end } = year;
      if (start === null || kindOfLength(daysBetween(start, end) + 1) !== 'annual') continue;
      const parts = quarters.filter((quarter) => (quarter.start ?? '') >= start && quarter.end <= end);
      if (parts.length !== QUARTERS) continue;
      const sum = parts.reduce<Decimal>((total, { value }) => add(total, value), '0');
      if (isBelow(add(sum, sum), year.value)) for (const part of parts) foundFacts.add(part);
    }
  }
  return foundFacts;
}
