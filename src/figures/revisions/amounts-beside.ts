/** What a filing reports by certain concepts, beside one of its facts: in the same unit, for the same period. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { entryOf } from '../groups.ts';
import { PeriodMap } from '../periods/period-map.ts';
import type { FactSeries } from './fact-series.ts';
import type { Choice, FilingCandidates } from './filing-candidates.ts';

/** The amounts by concept. */
export type Amounts = ReadonlyMap<string, Decimal>;

export type AmountsBeside = (fact: Fact) => Amounts;

/** Chooses by what the filing reports beside the candidates. */
export type AmountChooser = (candidates: FilingCandidates, amounts: Amounts) => Choice;

const NOTHING: Amounts = new Map();

/** By unit, filing, dates. */
type Places = Map<string, Map<string, PeriodMap<Map<string, Decimal>>>>;

export function amountsBeside(series: readonly FactSeries[], concepts: ReadonlySet<string>): AmountsBeside {
  const places: Places = new Map();
  for (const { concept, unit, facts } of series) {
    if (!concepts.has(concept)) continue;
    const filings = entryOf(places, unit, () => new Map<string, PeriodMap<Map<string, Decimal>>>());
    for (const fact of facts) {
      const periods = entryOf(filings, fact.accession, newPeriods);
      const amounts = periods.get(fact);
      if (amounts === undefined) periods.set(fact, new Map([[concept, fact.value]]));
      else amounts.set(concept, fact.value);
    }
  }
  return (fact) => places.get(fact.unit)?.get(fact.accession)?.get(fact) ?? NOTHING;
}

function newPeriods(): PeriodMap<Map<string, Decimal>> {
  return new PeriodMap();
}
