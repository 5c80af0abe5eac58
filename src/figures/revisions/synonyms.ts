/** Which of several concepts a filing means, where it reports one metric and period by more than one. */

import { add, multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { daysBetween } from '../../platform/dates.ts';
import { entryOf, pushTo } from '../groups.ts';
import { mappingOf } from '../metrics/concepts.ts';
import { isQuarterLength, kindOfLength } from '../periods/period-kind.ts';
import { debtChoosers } from './debt-synonyms.ts';
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
const DEPRECIATION = 'Depreciation';
const OTHER_DEPRECIATION = 'OtherDepreciationAndAmortization';
const COSTS: ReadonlySet<string> = new Set([
  'CostOfRevenue',
  'CostOfGoodsAndServicesSold',
  'CostOfGoodsSold',
  'CostOfSales',
]);

const QUARTERS = 4;
/** Lines that are each rounded add up to at least this share of their total. */
const ROUNDED: Decimal = '0.99';

/** What else a filing reports for a period. */
interface Evidence {
  profit: Decimal | null;
  depreciation: Decimal | null;
  readonly costs: Decimal[];
  readonly revenues: Decimal[];
}

/**
 * Orders candidates by concept, except where the filing's other figures contradict the order:
 *
 * - A zero loses against an amount.
 * - Revenue is the amount that equals gross profit plus cost, else none below either of them. `Revenues` below revenue
 *   from contracts is the total if the filer has used it as such before (rebates and hedges), else a part.
 * - Cost of revenue is the amount that equals revenue less gross profit, else the largest, unless gross profit shows
 *   that it is a part too.
 * - Depreciation and amortization is the largest, and not below depreciation alone.
 * - Debt by `debt-synonyms.ts`, expenses, intangible assets and income before tax by `partial-amounts.ts`.
 */
export function synonymChooser(facts: readonly Fact[]): ConceptChooser {
  const evidence = evidenceByPlace(facts);
  const totalSince = firstTotal(facts);
  const otherSince = firstTotalDepreciation(facts, evidence);
  const choosers = new Map([...debtChoosers(facts), ...partChoosers(facts)]);
  return (candidates) => {
    const [{ mapping, fact }] = candidates;
    const beside = evidence.get(place(fact));
    switch (mapping.metricKey) {
      case 'revenue':
        return chooseRevenue(candidates, beside, totalSince);
      case 'cost_of_revenue':
        return chooseCost(candidates, beside);
      case 'depreciation_and_amortization':
        return chooseDepreciation(candidates, beside, otherSince);
      default:
        return choosers.get(mapping.metricKey)?.(candidates) ?? bestFirst(withoutZeros(candidates));
    }
  };
}

function chooseRevenue(candidates: FilingCandidates, beside: Evidence | undefined, totalSince: string | null): Choice {
  const { profit = null, costs = [] } = beside ?? {};
  if (profit !== null) {
    const exact = candidates.filter(({ fact }) => costs.some((cost) => add(profit, cost) === fact.value));
    if (isFilled(exact)) return bestFirst(exact);
  }
  // A loss has revenue below its cost; only where there is a larger revenue is that one a part.
  const possible = candidates.filter(({ fact }) => !costs.some((cost) => isBelow(fact.value, cost)));
  const [first, ...rest] = withoutZeros(isFilled(possible) ? possible : candidates).filter(
    ({ fact }) => profit === null || !isBelow(fact.value, profit),
  );
  if (first === undefined) return 'a revenue below the gross profit of its filing';
  const ordered = bestFirst([first, ...rest]);
  const [best] = ordered;
  if (best.fact.concept !== TOTAL) return ordered;
  const contracts = ordered.find(({ fact }) => fact.concept === CONTRACTS);
  if (contracts === undefined || !isBelow(best.fact.value, contracts.fact.value)) return ordered;
  if (totalSince !== null && totalSince < best.fact.filed) return ordered;
  return [contracts, ...ordered.filter((other) => other !== contracts)];
}

function chooseCost(candidates: FilingCandidates, beside: Evidence | undefined): Choice {
  const { profit = null, revenues = [] } = beside ?? {};
  if (profit === null || revenues.length === 0) return candidates.length === 1 ? candidates : largest(candidates);
  const exact = candidates.filter(({ fact }) => revenues.includes(add(profit, fact.value)));
  if (isFilled(exact)) return bestFirst(exact);
  const chosen = largest(candidates);
  const sum = add(profit, chosen[0].fact.value);
  const agrees = revenues.some(
    (revenue) => !isBelow(sum, multiply(revenue, ROUNDED)) && !isBelow(revenue, multiply(sum, ROUNDED)),
  );
  return !agrees && revenues.some((revenue) => isBelow(sum, revenue))
    ? 'a part of the cost of revenue, by the gross profit of its filing'
    : chosen;
}

function chooseDepreciation(
  candidates: FilingCandidates,
  beside: Evidence | undefined,
  otherSince: string | null,
): Choice {
  const totals = candidates.filter(
    ({ fact }) => fact.concept !== OTHER_DEPRECIATION || (otherSince !== null && otherSince <= fact.filed),
  );
  if (!isFilled(totals)) return 'other depreciation and amortization that is no total';
  // One that leaves something out ranks below the totals, however large it is.
  const full = totals.filter(({ mapping }) => mapping.confidence === '1');
  const chosen = largest(isFilled(full) ? full : totals);
  const depreciation = beside?.depreciation ?? null;
  return depreciation !== null && isBelow(chosen[0].fact.value, depreciation)
    ? 'depreciation and amortization below depreciation alone'
    : chosen;
}

function place({ accession, unit, start, end }: Fact): string {
  return `${accession} ${unit} ${start} ${end}`;
}

function evidenceByPlace(facts: readonly Fact[]): Map<string, Evidence> {
  const places = new Map<string, Evidence>();
  for (const fact of facts) {
    const { concept, taxonomy, value } = fact;
    const isRevenue = mappingOf('revenue', taxonomy, concept) !== null;
    if (!isRevenue && concept !== PROFIT && concept !== DEPRECIATION && !COSTS.has(concept)) continue;
    const evidence = entryOf(places, place(fact), () => ({
      profit: null,
      depreciation: null,
      costs: [],
      revenues: [],
    }));
    if (isRevenue) evidence.revenues.push(value);
    else if (concept === PROFIT) evidence.profit = value;
    else if (concept === DEPRECIATION) evidence.depreciation = value;
    else evidence.costs.push(value);
  }
  return places;
}

/** The day of the first filing whose other depreciation and amortization includes depreciation; else null. */
function firstTotalDepreciation(facts: readonly Fact[], evidence: ReadonlyMap<string, Evidence>): string | null {
  let since: string | null = null;
  for (const fact of facts) {
    if (fact.concept !== OTHER_DEPRECIATION || (since !== null && fact.filed >= since)) continue;
    const depreciation = evidence.get(place(fact))?.depreciation ?? null;
    if (depreciation !== null && !isBelow(fact.value, depreciation)) since = fact.filed;
  }
  return since;
}

/** The day of the first filing to report its total as `Revenues`, with no larger revenue from contracts; else null. */
function firstTotal(facts: readonly Fact[]): string | null {
  const contracts = new Map<string, Decimal>();
  for (const fact of facts) if (fact.concept === CONTRACTS) contracts.set(place(fact), fact.value);
  let since: string | null = null;
  for (const fact of facts) {
    if (fact.concept !== TOTAL || (since !== null && fact.filed >= since)) continue;
    const larger = contracts.get(place(fact));
    if (larger === undefined || compareDecimals(fact.value, larger) >= 0) since = fact.filed;
  }
  return since;
}

/**
 * Revenues of quarters that a filing reports with their year, and that make up less than half of it: a part's, such as
 * a finance arm's, which the filing tags like the whole.
 */
export function quartersOfParts(facts: readonly Fact[]): ReadonlySet<Fact> {
  const filings = new Map<string, Fact[]>();
  for (const fact of facts) {
    if (fact.start === null || mappingOf('revenue', fact.taxonomy, fact.concept) === null) continue;
    pushTo(filings, `${fact.accession} ${fact.concept} ${fact.unit}`, fact);
  }
  const found = new Set<Fact>();
  for (const reported of filings.values()) {
    const quarters = reported.filter((fact) => fact.start !== null && isQuarterLength(fact.start, fact.end));
    if (quarters.length < QUARTERS) continue;
    for (const year of reported) {
      const { start, end } = year;
      if (start === null || kindOfLength(daysBetween(start, end) + 1) !== 'annual') continue;
      const parts = quarters.filter((quarter) => (quarter.start ?? '') >= start && quarter.end <= end);
      if (parts.length !== QUARTERS) continue;
      const sum = parts.reduce<Decimal>((total, { value }) => add(total, value), '0');
      if (isBelow(add(sum, sum), year.value)) for (const part of parts) found.add(part);
    }
  }
  return found;
}
