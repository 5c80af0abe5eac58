/** Encodes a company's part of the table of tagged facts. */
import { compareText } from '../../contract/compare-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { FACTS } from '../../store/schema/facts.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';

/**
 * Returns the table part with the facts; an empty array if `facts` is null.
 * @param facts all facts of the company; null if the release does not include them
 */
export function encodeFactParts(cik: number, facts: readonly Fact[] | null): readonly TablePart[] {
  if (facts === null) return [];
  const sink = new PartSink(FACTS);
  sink.add(
    cik,
    facts.toSorted(compareFacts).map((fact) => ({ cik, ...fact })),
  );
  return [sink.finish()];
}

const compareFacts = (a: Fact, b: Fact): number =>
  compareText(a.taxonomy, b.taxonomy) ||
  compareText(a.concept, b.concept) ||
  compareText(a.unit, b.unit) ||
  compareText(a.end, b.end) ||
  compareText(a.start ?? '', b.start ?? '') ||
  compareText(a.filed, b.filed) ||
  compareText(a.accession, b.accession);
