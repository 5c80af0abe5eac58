/** Which of several concepts a filing means, where it states one metric and period through more than one. */

import { add } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { Candidate } from './candidates.ts';

/** What one filing says of one metric, unit and period; never empty. */
export type FilingCandidates = readonly [Candidate, ...Candidate[]];

/** Picks the concept that means the metric. */
export type ConceptChooser = (stated: FilingCandidates) => Candidate;

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
 * The candidate with the best concept, but for revenue, whose tags mean different things to different filers:
 *
 * - The amount that equals gross profit plus cost of revenue in the same filing is the total, whatever its tag.
 * - `Revenues` below revenue from contracts is the total of a filer that has used it as such before (rebates and
 *   hedges make a total smaller than the contracts), and a part of the total in the hands of one that has not.
 */
export function synonymChooser(facts: readonly Fact[]): ConceptChooser {
  const sums = grossSums(facts);
  const habitSince = totalHabit(facts);
  return (stated) => {
    const best = byPriority(stated);
    if (stated.length === 1 || best.mapping.metricKey !== 'revenue') return best;
    const [exact, ...others] = stated.filter(({ fact }) => sums.get(place(fact))?.includes(fact.value) ?? false);
    if (exact !== undefined) return byPriority([exact, ...others]);
    if (best.fact.concept !== TOTAL) return best;
    const contracts = stated.find(({ fact }) => fact.concept === CONTRACTS);
    if (contracts === undefined || compareDecimals(best.fact.value, contracts.fact.value) >= 0) return best;
    return habitSince !== null && habitSince < best.fact.filed ? best : contracts;
  };
}

function byPriority(stated: FilingCandidates): Candidate {
  let best = stated[0];
  for (const candidate of stated) if (candidate.mapping.priority < best.mapping.priority) best = candidate;
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
    if (profit !== undefined) sums.set(at, [...(sums.get(at) ?? []), add(profit, fact.value)]);
  }
  return sums;
}

/** The first day on which a filing stated its total as `Revenues`, with no larger revenue from contracts beside it. */
function totalHabit(facts: readonly Fact[]): string | null {
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
