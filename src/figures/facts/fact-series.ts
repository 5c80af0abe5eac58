/** Groups a company's facts once, by concept and unit and then by period, for all rules that compare facts. */
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { getOrInsert } from '../../platform/collections.ts';
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
}

/** Returns the series in the order of their first facts. */
export function groupFactSeries(facts: Iterable<AlignedFact>): FactSeries[] {
  const seriesByConcept = new Map<string, MutableFactSeries>();
  let lastSeries: MutableFactSeries | undefined;
  for (const fact of facts) {
    const { taxonomy, concept, unit } = fact;
    // Input facts are sorted by concept, so the last series usually matches.
    if (
      lastSeries === undefined ||
      concept !== lastSeries.concept ||
      unit !== lastSeries.unit ||
      taxonomy !== lastSeries.taxonomy
    ) {
      lastSeries = getOrInsert(seriesByConcept, `${taxonomy} ${concept} ${unit}`, () => new MutableFactSeries(fact));
    }
    lastSeries.add(fact);
  }
  return [...seriesByConcept.values()];
}

/** Returns the series, reduced to the facts that `isKept` accepts. */
export function filterFactsOfSeries(
  series: readonly FactSeries[],
  isKept: (fact: AlignedFact) => boolean,
): FactSeries[] {
  return series.flatMap((factSeries) =>
    factSeries.facts.every(isKept) ? [factSeries] : groupFactSeries(factSeries.facts.filter(isKept)),
  );
}

/** Returns the earliest filing day of the concept's facts for which `matches` returns true; null if none match. */
export function findFirstMatchingFilingDay(
  series: readonly FactSeries[],
  concept: string,
  matches: (fact: AlignedFact) => boolean,
): string | null {
  let firstFilingDay: string | null = null;
  for (const factSeries of series) {
    if (factSeries.concept !== concept) continue;
    for (const fact of factSeries.facts)
      if ((firstFilingDay === null || fact.filed < firstFilingDay) && matches(fact)) firstFilingDay = fact.filed;
  }
  return firstFilingDay;
}

interface MutablePeriodFacts extends PeriodFacts {
  readonly facts: AlignedFact[];
  isDisputed: boolean;
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
    const { start, end } = fact;
    this.facts.push(fact);
    const existingPeriod = this.#periodByDates.get(fact);
    if (existingPeriod !== undefined) {
      existingPeriod.isDisputed ||= fact.value !== existingPeriod.facts[0]?.value;
      existingPeriod.facts.push(fact);
      return;
    }
    const period = { start, end, kind: detectPeriodKind(start, end), facts: [fact], isDisputed: false };
    this.#periodByDates.set(fact, period);
    this.periods.push(period);
  }
}
