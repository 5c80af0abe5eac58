/** What a filing reports by certain concepts, beside one of its facts: in the same unit, for the same period. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { entryOf, pushTo } from '../groups.ts';
import type { FactSeries } from './fact-series.ts';
import type { Choice, FilingCandidates } from './filing-candidates.ts';

/** The amounts by concept, looked up when they are asked for. */
export interface Amounts {
  get(concept: string): Decimal | undefined;
  has(concept: string): boolean;
}

export type AmountsBeside = (fact: Fact) => Amounts;

/** Chooses by what the filing reports beside the candidates. */
export type AmountChooser = (candidates: FilingCandidates, amounts: Amounts) => Choice;

export function amountsBeside(series: readonly FactSeries[]): AmountsBeside {
  const units = new Map<string, Map<string, FactSeries[]>>();
  for (const one of series) {
    const concepts = entryOf(units, one.unit, () => new Map<string, FactSeries[]>());
    pushTo(concepts, one.concept, one);
  }
  return (fact) => {
    const concepts = units.get(fact.unit);
    const get = (concept: string): Decimal | undefined => {
      let amount: Decimal | undefined;
      for (const one of concepts?.get(concept) ?? NONE) {
        const reported = one.of(fact)?.facts.findLast(({ accession }) => accession === fact.accession);
        amount = reported?.value ?? amount;
      }
      return amount;
    };
    return { get, has: (concept) => get(concept) !== undefined };
  };
}

const NONE: readonly FactSeries[] = [];
