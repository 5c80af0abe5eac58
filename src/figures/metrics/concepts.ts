/**
 * The tagged concepts that each metric is read from, best first. Values of synonyms are never added up. A concept that
 * includes slightly more or less than the metric has a confidence below 1, which we estimated. Responses show the
 * confidence of every value.
 */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { ReportedKey } from '../../contract/figures.ts';
import { onFirstUse } from '../../contract/on-first-use.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import { BALANCE_SHEET_CONCEPTS } from './concepts/balance-sheet.ts';
import { CASH_FLOW_STATEMENT_CONCEPTS } from './concepts/cash-flow-statement.ts';
import type { ConceptEntry, ConceptLists, Conditions } from './concepts/concept-lists.ts';
import { INCOME_STATEMENT_CONCEPTS } from './concepts/income-statement.ts';

export interface ConceptMapping {
  readonly metricKey: string;
  readonly taxonomy: string;
  readonly concept: string;
  /** Rank among the metric's concepts, from 1 (best). */
  readonly priority: number;
  readonly confidence: Decimal;
  /** Conditions about other amounts of the filing; null for none. */
  readonly conditions: Conditions | null;
}

/** Returns the mappings by metric, in the order of the lists. */
const getMappingsByMetric = onFirstUse((): ReadonlyMap<string, readonly ConceptMapping[]> => {
  const conceptsByMetric: Readonly<Record<ReportedKey, ConceptLists>> = {
    ...INCOME_STATEMENT_CONCEPTS,
    ...CASH_FLOW_STATEMENT_CONCEPTS,
    ...BALANCE_SHEET_CONCEPTS,
  };
  return new Map(
    Object.entries(conceptsByMetric).map(([metricKey, conceptLists]) => [
      metricKey,
      Object.entries(isList(conceptLists) ? { 'us-gaap': conceptLists } : conceptLists).flatMap(([taxonomy, entries]) =>
        entries.map((entry, index) => toMapping(metricKey, taxonomy, entry, index + 1)),
      ),
    ]),
  );
});

const isList = (lists: ConceptLists): lists is readonly ConceptEntry[] => Array.isArray(lists);

const listMappings = (): readonly ConceptMapping[] => [...getMappingsByMetric().values()].flat();

function toMapping(metricKey: string, taxonomy: string, entry: ConceptEntry, rank: number): ConceptMapping {
  if (typeof entry === 'object' && 'concept' in entry) {
    const { concept, confidence = '1', ...conditions } = entry;
    return { metricKey, taxonomy, concept, priority: rank, confidence, conditions };
  }
  const [concept, confidence, priority = rank] = typeof entry === 'string' ? ([entry, '1'] as const) : entry;
  return { metricKey, taxonomy, concept, priority, confidence, conditions: null };
}

/** Returns the concepts that a metric is read from; empty for a metric that is always derived. */
export const listMappingsOfMetric = (metricKey: string): readonly ConceptMapping[] =>
  getMappingsByMetric().get(metricKey) ?? NO_MAPPINGS;

/**
 * Returns the names of the concepts that a metric is read from, best first; a name of two taxonomies is there twice.
 */
export const listConceptsOfMetric = (metricKey: string): readonly string[] =>
  listMappingsOfMetric(metricKey).map(({ concept }) => concept);

export const prefixConcept = (taxonomy: string, concept: string): string => `${taxonomy}:${concept}`;

const NO_MAPPINGS: readonly ConceptMapping[] = [];
/**
 * Returns the mappings by taxonomy and concept. Nested maps avoid building a combined key for each of millions of
 * facts.
 */
const getMappingsByTaxonomy = onFirstUse(() => {
  const byTaxonomy = new Map<string, Map<string, ConceptMapping[]>>();
  for (const mapping of listMappings()) {
    const byConcept = getOrInsert(byTaxonomy, mapping.taxonomy, () => new Map<string, ConceptMapping[]>());
    pushTo(byConcept, mapping.concept, mapping);
  }
  return byTaxonomy;
});

/** Returns the metrics that are read from a concept; empty for most concepts. */
export const listMappingsOfConcept = (taxonomy: string, concept: string): readonly ConceptMapping[] =>
  getMappingsByTaxonomy().get(taxonomy)?.get(concept) ?? NO_MAPPINGS;

/** Returns concepts that no metric is read from, but whose amounts decide about others. */
const getConditionConcepts = onFirstUse(
  (): ReadonlySet<string> =>
    new Set(listMappings().flatMap(({ conditions }) => listConditionConcepts(conditions ?? {}))),
);

function listConditionConcepts({ or, ...lists }: Conditions): readonly string[] {
  const concepts = Object.values(lists).flat(2);
  return or === undefined ? concepts : [...concepts, ...listConditionConcepts(or)];
}

/** Whether amounts of the concept are read, for a metric or to decide about others. */
export function isConceptRead(taxonomy: string, concept: string): boolean {
  if (listMappingsOfConcept(taxonomy, concept).length > 0) return true;
  return taxonomy === 'us-gaap' && getConditionConcepts().has(concept);
}

/** Returns `compute` with a cache for the last concept: facts are nearly always grouped by concept. */
export function cacheForLastConcept<T>(
  compute: (taxonomy: string, concept: string) => T,
): (fact: { readonly taxonomy: string; readonly concept: string }) => T {
  let lastTaxonomy = '';
  let lastConcept = '';
  let cachedResult: T;
  return ({ taxonomy, concept }) => {
    if (concept !== lastConcept || taxonomy !== lastTaxonomy) {
      [lastTaxonomy, lastConcept] = [taxonomy, concept];
      cachedResult = compute(taxonomy, concept);
    }
    return cachedResult;
  };
}

/** Whether any metric is read from a concept, given as `taxonomy:Concept`. */
export function isPrefixedConceptMapped(concept: string): boolean {
  const colon = concept.indexOf(':');
  return listMappingsOfConcept(concept.slice(0, colon), concept.slice(colon + 1)).length > 0;
}

const getConceptNames = onFirstUse((): ReadonlySet<string> => new Set(listMappings().map(({ concept }) => concept)));

/** Whether any metric is read from a concept with this name, in any taxonomy. */
export const isConceptNameMapped = (name: string): boolean => getConceptNames().has(name);

/** Returns how a metric is read from a concept; null if the metric's list does not contain the concept. */
export function findMapping(metricKey: string, taxonomy: string, concept: string): ConceptMapping | null {
  for (const mapping of listMappingsOfConcept(taxonomy, concept)) if (mapping.metricKey === metricKey) return mapping;
  return null;
}
