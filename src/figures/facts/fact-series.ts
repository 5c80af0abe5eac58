/** Groups a company's facts once, by concept and unit and then by period, for all rules that compare facts. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { groupBy, pushTo } from '../../platform/collections.ts';
import { type ConceptMapping, listMappingsOfConcept } from '../metrics/concepts.ts';
import type { AlignedFact } from '../periods/align-periods.ts';
import { detectPeriodKind, type PeriodKind } from '../periods/period-kind.ts';
import { groupByPeriod, PeriodMap } from '../periods/period-map.ts';

type NonEmptyFacts = readonly [AlignedFact, ...AlignedFact[]];

/** The facts of one series for one period. */
export class PeriodFacts {
  readonly start: string | null;
  readonly end: string;
  /** Null if the number of days does not match any kind of fiscal period. */
  readonly kind: PeriodKind | null;
  /** Whether filings report different values for the period. */
  readonly isDisputed: boolean;
  #factsByFiling: ReadonlyMap<string, readonly AlignedFact[]> | undefined;

  constructor(readonly facts: NonEmptyFacts) {
    const [{ start, end, value }] = facts;
    this.start = start;
    this.end = end;
    this.kind = detectPeriodKind(start, end);
    this.isDisputed = facts.some((fact) => fact.value !== value);
  }

  /** Returns the facts that one filing states, in input order; usually one or none. */
  findFactsOfFiling(accession: string): readonly AlignedFact[] {
    this.#factsByFiling ??= groupBy(this.facts, (fact) => fact.accession);
    return this.#factsByFiling.get(accession) ?? [];
  }

  /** Returns the amount that one filing states; the last one if it states several. */
  findAmountOfFiling(accession: string): Decimal | undefined {
    if (this.facts.length > MAX_SEARCHED_FACTS) return this.findFactsOfFiling(accession).at(-1)?.value;
    return this.facts.findLast((fact) => fact.accession === accession)?.value;
  }
}

/** Maximum number of facts for which a search is faster than an index. */
const MAX_SEARCHED_FACTS = 16;

/** The facts of one concept in one unit, in input order. */
export class FactSeries {
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  /** The metrics that are read from the concept, with priority and confidence. */
  readonly mappings: readonly ConceptMapping[];
  /** Periods in the order of their first facts. */
  readonly periods: readonly PeriodFacts[];
  readonly #periodByDates = new PeriodMap<PeriodFacts>();

  constructor(readonly facts: NonEmptyFacts) {
    const [{ taxonomy, concept, unit }] = facts;
    this.taxonomy = taxonomy;
    this.concept = concept;
    this.unit = unit;
    this.mappings = listMappingsOfConcept(taxonomy, concept);
    this.periods = groupByPeriod(facts).map((group) => new PeriodFacts(group));
    for (const period of this.periods) this.#periodByDates.set(period, period);
  }

  /** Returns the facts for the period; undefined if no fact has its dates. */
  getPeriod(period: Pick<Fact, 'start' | 'end'>): PeriodFacts | undefined {
    return this.#periodByDates.get(period);
  }
}

/** Returns the series in the order of their first facts. */
export function groupFactSeries(facts: Iterable<AlignedFact>): FactSeries[] {
  const byConcept = new Map<string, [AlignedFact, ...AlignedFact[]]>();
  let last: [AlignedFact, ...AlignedFact[]] | undefined;
  for (const fact of facts) {
    const { taxonomy, concept, unit } = fact;
    // Input facts are sorted by concept, so the last series usually matches.
    if (last?.[0].concept === concept && last[0].unit === unit && last[0].taxonomy === taxonomy) last.push(fact);
    else {
      const key = `${taxonomy} ${concept} ${unit}`;
      pushTo(byConcept, key, fact);
      last = byConcept.get(key);
    }
  }
  return [...byConcept.values()].map((ofConcept) => new FactSeries(ofConcept));
}

/** Returns the series with only the facts that `keep` accepts. */
export const filterFactSeries = (series: readonly FactSeries[], keep: (fact: AlignedFact) => boolean): FactSeries[] =>
  series.flatMap((item) => (item.facts.every(keep) ? [item] : groupFactSeries(item.facts.filter(keep))));

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
  const periods = series.flatMap((own) => own.periods.filter(({ facts }) => facts.length > MAX_FACTS_OF_PERIOD));
  for (const period of periods) crowded.set(period, true);
  return periods.length > 0 ? filterFactSeries(series, (fact) => crowded.get(fact) !== true) : series;
}
