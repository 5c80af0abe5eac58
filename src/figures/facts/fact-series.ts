/**
 * A company's facts by concept and unit, and within these by period: grouped once, for all rules that compare facts.
 */
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { type Mapping, mappingsOf } from '../metrics/concepts.ts';
import type { AlignedFact } from '../periods/align-periods.ts';
import { type PeriodKind, periodKind } from '../periods/period-kind.ts';
import { PeriodMap } from '../periods/period-map.ts';

/** The facts of one concept in one unit, in their order. */
export interface FactSeries extends Pick<Fact, 'taxonomy' | 'concept' | 'unit'> {
  /** How metrics are read from the concept. */
  readonly mappings: readonly Mapping[];
  readonly facts: readonly AlignedFact[];
  /** In the order of their first facts. */
  readonly periods: readonly PeriodFacts[];
  /** Returns the facts for the dates of a period. */
  periodOf(period: Pick<Fact, 'start' | 'end'>): PeriodFacts | undefined;
}

/** The facts of one series for one period. */
export interface PeriodFacts extends Pick<Fact, 'start' | 'end'> {
  /** Null for a length that is not a fiscal period. */
  readonly kind: PeriodKind | null;
  readonly facts: readonly AlignedFact[];
  /** Whether filings report more than one value. */
  readonly isDisputed: boolean;
}

/** Returns the series in the order of their first facts. */
export function groupFactSeries(facts: Iterable<AlignedFact>): FactSeries[] {
  const seriesByConcept = new Map<string, Series>();
  let lastSeries: Series | undefined;
  for (const fact of facts) {
    const { taxonomy, concept, unit } = fact;
    // Facts are sorted by concept.
    if (
      lastSeries === undefined ||
      concept !== lastSeries.concept ||
      unit !== lastSeries.unit ||
      taxonomy !== lastSeries.taxonomy
    ) {
      lastSeries = getOrInsert(seriesByConcept, `${taxonomy} ${concept} ${unit}`, () => new Series(fact));
    }
    lastSeries.add(fact);
  }
  return [...seriesByConcept.values()];
}

/** Returns the series with only the facts that `isKept` accepts. */
export function filterSeries(series: readonly FactSeries[], isKept: (fact: AlignedFact) => boolean): FactSeries[] {
  return series.flatMap((factSeries) =>
    factSeries.facts.every(isKept) ? [factSeries] : groupFactSeries(factSeries.facts.filter(isKept)),
  );
}

/** The day of the first filing with such a fact of the concept; null if there is none. */
export function firstMatchingDay(
  series: readonly FactSeries[],
  concept: string,
  matches: (fact: AlignedFact) => boolean,
): string | null {
  let firstDay: string | null = null;
  for (const factSeries of series) {
    if (factSeries.concept !== concept) continue;
    for (const fact of factSeries.facts)
      if ((firstDay === null || fact.filed < firstDay) && matches(fact)) firstDay = fact.filed;
  }
  return firstDay;
}

interface MutablePeriodFacts extends PeriodFacts {
  readonly facts: AlignedFact[];
  isDisputed: boolean;
}

class Series implements FactSeries {
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  readonly mappings: readonly Mapping[];
  readonly facts: AlignedFact[] = [];
  readonly #byDates = new PeriodMap<MutablePeriodFacts>();
  readonly periods: MutablePeriodFacts[] = [];

  constructor({ taxonomy, concept, unit }: Fact) {
    this.taxonomy = taxonomy;
    this.concept = concept;
    this.unit = unit;
    this.mappings = mappingsOf(taxonomy, concept);
  }

  periodOf(period: Pick<Fact, 'start' | 'end'>): PeriodFacts | undefined {
    return this.#byDates.get(period);
  }

  add(fact: AlignedFact): void {
    const { start, end } = fact;
    this.facts.push(fact);
    const existingPeriod = this.#byDates.get(fact);
    if (existingPeriod !== undefined) {
      existingPeriod.isDisputed ||= fact.value !== existingPeriod.facts[0]?.value;
      existingPeriod.facts.push(fact);
      return;
    }
    const period = { start, end, kind: periodKind(start, end), facts: [fact], isDisputed: false };
    this.#byDates.set(fact, period);
    this.periods.push(period);
  }
}
