/** How often, and for which days, a company has used each concept. */

import type { RawConceptCount } from '../../edgar/facts/company-facts.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { conceptName } from './mappings.ts';

/** Each concept in each unit, in the order of their first facts. */
export function countConcepts(facts: readonly Fact[]): RawConceptCount[] {
  const counts = new Map<string, RawConceptCount>();
  for (const { taxonomy, concept, unit, end } of facts) {
    const key = `${conceptName(taxonomy, concept)} ${unit}`;
    const { factCount, earliestEnd, latestEnd } = counts.get(key) ?? {
      factCount: 0,
      earliestEnd: null,
      latestEnd: null,
    };
    counts.set(key, {
      taxonomy,
      concept,
      unit,
      factCount: factCount + 1,
      earliestEnd: earliestEnd === null || end < earliestEnd ? end : earliestEnd,
      latestEnd: latestEnd === null || end > latestEnd ? end : latestEnd,
    });
  }
  return [...counts.values()];
}
