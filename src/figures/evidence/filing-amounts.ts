/** Looks up the amounts that a filing reports by other concepts for the unit and period of a fact. */
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import type { FactSeries } from '../facts/fact-series.ts';

/** Maximum relative difference between a total and the sum of its parts, each of which is rounded. */
export const ROUNDING_TOLERANCE: Decimal = '0.002';

export type AmountLookup = (fact: FilingPeriod) => FilingAmounts;

/** The filing, unit and period that amounts are looked up for. */
export type FilingPeriod = Pick<Fact, 'accession' | 'unit' | 'start' | 'end'>;

export function createAmountLookup(series: readonly FactSeries[]): AmountLookup {
  const byUnit = new Map<string, Map<string, FactSeries[]>>();
  for (const factSeries of series) {
    const byConcept = getOrInsert(byUnit, factSeries.unit, () => new Map<string, FactSeries[]>());
    pushTo(byConcept, factSeries.concept, factSeries);
  }
  return (fact) => new FilingAmounts(fact, byUnit.get(fact.unit));
}

/** The amounts of one filing, unit and period by concept, looked up on demand. */
export class FilingAmounts {
  readonly #filingPeriod: FilingPeriod;
  readonly #seriesByConcept: ReadonlyMap<string, readonly FactSeries[]> | undefined;

  constructor(filingPeriod: FilingPeriod, byConcept: ReadonlyMap<string, readonly FactSeries[]> | undefined) {
    this.#filingPeriod = filingPeriod;
    this.#seriesByConcept = byConcept;
  }

  get(concept: string): Decimal | undefined {
    const { accession } = this.#filingPeriod;
    let amount: Decimal | undefined;
    for (const series of this.#seriesByConcept?.get(concept) ?? NO_SERIES) {
      amount = series.getPeriod(this.#filingPeriod)?.findAmountOfFiling(accession) ?? amount;
    }
    return amount;
  }

  has(concept: string): boolean {
    return this.get(concept) !== undefined;
  }

  /** Returns the amounts of those of the concepts that the filing states. */
  list(concepts: readonly string[]): Decimal[] {
    return concepts.flatMap((concept) => this.get(concept) ?? []);
  }

  /** Uses a loop, for speed: each equation of each figure lists amounts. */
  listNonzero(concepts: readonly string[]): Decimal[] {
    const amounts: Decimal[] = [];
    for (const concept of concepts) {
      const amount = this.get(concept);
      if (amount !== undefined && !isZero(amount)) amounts.push(amount);
    }
    return amounts;
  }

  isNonzero(concept: string): boolean {
    return !isZero(this.get(concept) ?? '0');
  }
}

const NO_SERIES: readonly FactSeries[] = [];
