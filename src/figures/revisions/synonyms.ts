/** Which of several concepts a filing means, where it reports one metric and period by more than one. */

import { add } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { pushTo } from '../groups.ts';
import type { Candidate } from './candidates.ts';

/** One filing's facts for one metric, unit and period; never empty. */
export type FilingCandidates = readonly [Candidate, ...Candidate[]];

/** Picks the concept that means the metric. */
export type ConceptChooser = (candidates: FilingCandidates) => Candidate;

const TOTAL = 'Revenues';
const CONTRACTS = 'RevenueFromContractWithCustomerExcludingAssessedTax';
const PROFIT = 'GrossProfit';
const COSTS: ReadonlySet<string> = new Set([
  'CostOfRevenue',
  'CostOfGoodsAndServicesSold',
  'CostOfGoodsSold',
  'CostOfSales',
]);

/**
 * The candidate with the best concept, except for revenue, whose concepts mean different things to different filers:
 *
 * - The amount that equals gross profit plus cost of revenue in the same filing is the total, whatever its concept.
 * - `Revenues` below revenue from contracts is the total if the filer has used it as such before (rebates and
 *   hedges make a total smaller than the contracts), else a part of the total.
 */
export function synonymChooser(facts: readonly Fact[]): ConceptChooser {
  const sums = grossSums(facts);
  const totalSince = firstTotal(facts);
  return (candidates) => {
    const best = byPriority(candidates);
    if (candidates.length === 1 || best.mapping.metricKey !== 'revenue') return best;
    const [exact, ...others] = candidates.filter(({ fact }) => sums.get(place(fact))?.includes(fact.value) ?? false);
    if (exact !== undefined) return byPriority([exact, ...others]);
    if (best.fact.concept !== TOTAL) return best;
    const contracts = candidates.find(({ fact }) => fact.concept === CONTRACTS);
    if (contracts === undefined || compareDecimals(best.fact.value, contracts.fact.value) >= 0) return best;
    return totalSince !== null && totalSince < best.fact.filed ? best : contracts;
  };
}

function byPriority(candidates: FilingCandidates): Candidate {
  let best = candidates[0];
  for (const candidate of candidates) if (candidate.mapping.priority < best.mapping.priority) best = candidate;
  return best;
}

function place({ accession, unit, start, end }: Fact): string {
  return `${accession} ${unit} ${start} ${end}`;
}

/** Gross profit plus cost, by filing and period. */
function grossSums(facts: readonly Fact[]): Map<string, Decimal[]> {
  const profits = new Map<string, Decimal>();
  for (const fact of facts) if (fact.concept === PROFIT) profits.set(place(fact), fact.value);
  const sums = new Map<string, Decimal[]>();
  if (profits.size === 0) return sums;
  for (const fact of facts) {
    if (!COSTS.has(fact.concept)) continue;
    const at = place(fact);
    const profit = profits.get(at);
    if (profit !== undefined) pushTo(sums, at, add(profit, fact.value));
  }
  return sums;
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
