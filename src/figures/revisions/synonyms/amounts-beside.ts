/** The other amounts of a filing for the unit and period of one of its facts, by concept. */
import type { Decimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { getOrInsert, pushTo } from '../../../platform/collections.ts';
import type { FactSeries } from '../../facts/fact-series.ts';
import type { Choice, FilingCandidates } from './filing-candidates.ts';

export type AmountsBeside = (fact: Place) => Amounts;

/** The filing, period and unit of amounts. */
export type Place = Pick<Fact, 'accession' | 'unit' | 'start' | 'end'>;

/** Chooses candidates by the other amounts of their filing. */
export type AmountChooser = (candidates: FilingCandidates, amounts: Amounts) => Choice;

export function amountsBeside(series: readonly FactSeries[]): AmountsBeside {
  const units = new Map<string, Map<string, FactSeries[]>>();
  for (const one of series) {
    const concepts = getOrInsert(units, one.unit, () => new Map<string, FactSeries[]>());
    pushTo(concepts, one.concept, one);
  }
  return (fact) => new Amounts(fact, units.get(fact.unit));
}

/** The amounts by concept, looked up on demand. */
export class Amounts {
  readonly #fact: Place;
  readonly #concepts: ReadonlyMap<string, readonly FactSeries[]> | undefined;

  constructor(fact: Place, concepts: ReadonlyMap<string, readonly FactSeries[]> | undefined) {
    this.#fact = fact;
    this.#concepts = concepts;
  }

  get(concept: string): Decimal | undefined {
    const { accession } = this.#fact;
    let amount: Decimal | undefined;
    for (const series of this.#concepts?.get(concept) ?? NONE) {
      const reportedFact = series.of(this.#fact)?.facts.findLast((fact) => fact.accession === accession);
      amount = reportedFact?.value ?? amount;
    }
    return amount;
  }

  has(concept: string): boolean {
    return this.get(concept) !== undefined;
  }
}

const NONE: readonly FactSeries[] = [];
