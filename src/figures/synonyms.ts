/** Which of several concepts a filing means, where it states one metric and period through more than one. */
import { compareDecimals } from '../contract/decimal.ts';
import type { Mapping } from './mappings.ts';
import type { Fact } from './types.ts';

/** One fact read as a metric. */
export interface Candidate {
  readonly fact: Fact;
  readonly mapping: Mapping;
}

const TOTAL = 'Revenues';
const CONTRACTS = 'RevenueFromContractWithCustomerExcludingAssessedTax';

/** The candidate with the best concept. `candidates` are of one filing, metric, unit and period, and not empty. */
export function bestSynonym(candidates: readonly [Candidate, ...Candidate[]]): Candidate {
  let best = candidates[0];
  for (const candidate of candidates) if (candidate.mapping.priority < best.mapping.priority) best = candidate;
  if (best.mapping.concept !== TOTAL) return best;
  // Some tag a part as the total; a total below its largest part is none.
  const contracts = candidates.find((candidate) => candidate.mapping.concept === CONTRACTS);
  return contracts !== undefined && compareDecimals(best.fact.value, contracts.fact.value) < 0 ? contracts : best;
}
