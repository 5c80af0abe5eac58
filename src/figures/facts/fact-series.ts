/** Groups a company's facts once, by concept and unit and then by period, for all rules that compare facts. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { type ConceptMapping, listMappingsOfConcept } from '../metrics/concepts.ts';
import type { AlignedFact } from '../periods/align-periods.ts';
import { detectPeriodKind, type PeriodKind } from '../periods/period-kind.ts';
import { PeriodMap } from '../periods/period-map.ts';

/** The facts of one concept in one unit, in input order. */
export interface FactSeries extends Pick<Fact, 'taxonomy' | 'concept' | 'unit'> {
  /** The metrics that are read from the concept, with priority and confidence. */
  readonly mappings: readonly ConceptMapping[];
  readonly facts: readonly AlignedFact[];
  /** Periods in the order of their first facts. */
  readonly periods: readonly PeriodFacts[];
  /** Returns the facts for the period; undefined if no fact has its dates. */
  getPeriod(period: Pick<Fact, 'start' | 'end'>): PeriodFacts | undefined;
}

/** The facts of one series for one period. */
export interface PeriodFacts extends Pick<Fact, 'start' | 'end'> {
  /** Null if the number of days does not match any kind of fiscal period. */
  readonly kind: PeriodKind | null;
  readonly facts: readonly AlignedFact[];
  /** Whether filings report different values for the period. */
  readonly isDisputed: boolean;
  /** Returns the facts that one filing states, in input order; usually one or none. */
  findFactsOfFiling(accession: string): readonly AlignedFact[];
  /** Returns the amount that one filing states; the last one if it states several. */
  findAmountOfFiling(accession: string): Decimal | undefined;
}

/** Returns the series in the order of their first facts. */
export function groupFactSeries(facts: Iterable<AlignedFact>): FactSeries[] {
  const byConcept = new Map<string, MutableFactSeries>();
  let last: MutableFactSeries | undefined;
  for (const fact of facts) {
    const { taxonomy, concept, unit } = fact;
    // Input facts are sorted by concept, so the last series usually matches.
    if (last === undefined || concept !== last.concept || unit !== last.unit || taxonomy !== last.taxonomy) {
      last = getOrInsert(byConcept, `${taxonomy} ${concept} ${unit}`, () => new MutableFactSeries(fact));
    }
    last.add(fact);
  }
  return [...byConcept.values()];
}

/** Returns the series, reduced to the facts that `keep` accepts. */
export function filterFactsOfSeries(series: readonly FactSeries[], keep: (fact: AlignedFact) => boolean): FactSeries[] {
  return series.flatMap((item) => (item.facts.every(keep) ? [item] : groupFactSeries(item.facts.filter(keep))));
}

/** Returns the number of filings that state any of the facts. */
export const countFilings = (facts: readonly Fact[]): number => new Set(facts.map(({ accession }) => accession)).size;

/**
 * Maximum number of facts of one concept and period that rules compare with each other. Two hundred companies have at
 * most 16; comparing all pairs of thousands would take minutes.
 */
export const MAX_FACTS_OF_PERIOD = 500;

/** Returns the series without the periods for which any series has more than `MAX_FACTS_OF_PERIOD` facts. */
export function omitCrowdedPeriods(series: readonly FactSeries[]): readonly FactSeries[] {
  const crowded = new PeriodMap<true>();
  let isCrowded = false;
  for (const period of series.flatMap(({ periods }) => periods)) {
    if (period.facts.length <= MAX_FACTS_OF_PERIOD) continue;
    crowded.set(period, true);
    isCrowded = true;
  }
  return isCrowded ? filterFactsOfSeries(series, (fact) => crowded.get(fact) !== true) : series;
}

/**
 * Returns a function that finds the earliest filing day of a period's facts for which `matches` returns true; null if
 * none match. Computes each day once, because every filing of the period asks for it.
 */
export function createFirstDayFinder(
  matches: (fact: AlignedFact) => boolean,
): (period: PeriodFacts | undefined) => string | null {
  const dayByPeriod = new Map<PeriodFacts, string | null>();
  const findDay = ({ facts }: PeriodFacts) => {
    let first: string | null = null;
    for (const fact of facts) if ((first === null || fact.filed < first) && matches(fact)) first = fact.filed;
    return first;
  };
  return (period) => {
    if (period === undefined) return null;
    return getOrInsert(dayByPeriod, period, () => findDay(period));
  };
}

/** Maximum number of facts for which a search is faster than an index. */
const MAX_SEARCHED_FACTS = 16;
const NO_FACTS: readonly AlignedFact[] = [];

class MutablePeriodFacts implements PeriodFacts {
  readonly start: string | null;
  readonly end: string;
  readonly kind: PeriodKind | null;
  readonly facts: AlignedFact[] = [];
  isDisputed = false;
  #factsByFiling: ReadonlyMap<string, readonly AlignedFact[]> | undefined;

  constructor({ start, end }: Fact) {
    this.start = start;
    this.end = end;
    this.kind = detectPeriodKind(start, end);
  }

  findFactsOfFiling(accession: string): readonly AlignedFact[] {
    if (this.facts.length <= MAX_SEARCHED_FACTS) return this.facts.filter((fact) => fact.accession === accession);
    this.#factsByFiling ??= groupBy(this.facts, (fact) => fact.accession);
    return this.#factsByFiling.get(accession) ?? NO_FACTS;
  }

  findAmountOfFiling(accession: string): Decimal | undefined {
    if (this.facts.length > MAX_SEARCHED_FACTS) return this.findFactsOfFiling(accession).at(-1)?.value;
    for (let index = this.facts.length - 1; index >= 0; index--) {
      const fact = this.facts[index];
      if (fact?.accession === accession) return fact.value;
    }
    return undefined;
  }
}

class MutableFactSeries implements FactSeries {
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  readonly mappings: readonly ConceptMapping[];
  readonly facts: AlignedFact[] = [];
  readonly #periodByDates = new PeriodMap<MutablePeriodFacts>();
  readonly periods: MutablePeriodFacts[] = [];

  constructor({ taxonomy, concept, unit }: Fact) {
    this.taxonomy = taxonomy;
    this.concept = concept;
    this.unit = unit;
    this.mappings = listMappingsOfConcept(taxonomy, concept);
  }

  getPeriod(period: Pick<Fact, 'start' | 'end'>): PeriodFacts | undefined {
    return this.#periodByDates.get(period);
  }

  add(fact: AlignedFact): void {
    this.facts.push(fact);
    let period = this.#periodByDates.get(fact);
    if (period === undefined) {
      period = new MutablePeriodFacts(fact);
      this.#periodByDates.set(fact, period);
      this.periods.push(period);
    } else period.isDisputed ||= fact.value !== period.facts[0]?.value;
    period.facts.push(fact);
  }
}
