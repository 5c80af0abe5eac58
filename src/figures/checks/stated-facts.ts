/** Compares the values of a release with the facts in the public files, independently of how the values were chosen. */
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import { isSameBoundary } from '../periods/align-periods.ts';
import { type ReportedValue, toFiledPeriod } from '../revisions/revision-chain.ts';

/**
 * Returns a function that tells whether the value's filing states it: a fact of the value's concept and unit, with the
 * same digits and dates. The value's own dates may differ from those of the fact by the days that filings differ.
 * @param facts all facts of the company, as read from its files
 */
export function createStatedFactCheck(facts: readonly Fact[]): (value: ReportedValue) => boolean {
  const byConcept = new Map<string, Map<string, Fact[]>>();
  let [last, ofConcept] = ['', new Map<string, Fact[]>()];
  for (const fact of facts) {
    if (fact.concept !== last) {
      last = fact.concept;
      ofConcept = getOrInsert(byConcept, last, () => new Map<string, Fact[]>());
    }
    pushTo(ofConcept, fact.accession, fact);
  }
  return (value) => {
    const { concept, accession, taxonomy, unit, rawValue } = value;
    const period = toFiledPeriod(value);
    const isStated = byConcept
      .get(concept)
      ?.get(accession)
      ?.some(
        (fact) =>
          fact.value === rawValue &&
          fact.end === period.end &&
          fact.start === period.start &&
          fact.unit === unit &&
          fact.taxonomy === taxonomy,
      );
    return isStated === true && value.value === rawValue && hasNearbyDates(value);
  };
}

function hasNearbyDates({ start, end, filedStart, filedEnd }: ReportedValue): boolean {
  return (
    (filedStart === null || (start !== null && isSameBoundary(start, filedStart))) &&
    (filedEnd === null || isSameBoundary(end, filedEnd))
  );
}
