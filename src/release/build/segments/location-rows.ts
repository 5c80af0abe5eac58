/** Where the facts that metrics are read from stand in the documents at hand. */

import type { Fact } from '../../../edgar/facts/fact-row.ts';
import type { FiledReport } from '../../../edgar/reports/tagged-report.ts';
import { type FactLocation, locator, type MatchQuality } from '../../../figures/filings/fact-location.ts';
import { conceptName, isMapped } from '../../../figures/metrics/concepts.ts';
import type { LocationRow } from '../../schema/segments.ts';

/** Best first. */
const QUALITIES: readonly MatchQuality[] = ['unique', 'ambiguous', 'hidden_only', 'none'];

/** A filing may have several documents with tags; a fact's place is in the one that shows it best. */
export function locationRows(facts: readonly Fact[], reports: readonly FiledReport[]): LocationRow[] {
  const documents = new Map<string, ReturnType<typeof locator>[]>();
  for (const report of reports) {
    if (report.kind === 'data_set') continue;
    documents.set(report.accession, [...(documents.get(report.accession) ?? []), locator(report)]);
  }
  const rows = new Map<string, LocationRow>();
  for (const { accession, taxonomy, concept: name, unit, start, end, value } of facts) {
    const concept = conceptName(taxonomy, name);
    const places = isMapped(concept) ? documents.get(accession) : undefined;
    const best = places
      ?.map((locate) => locate({ concept, unit, start, end, value }))
      .reduce((a, b) => (rank(b) < rank(a) ? b : a));
    if (best === undefined) continue;
    const { matchQuality, context, document, lineId } = best;
    rows.set(`${accession} ${concept} ${unit} ${start} ${end}`, {
      ...{ accession, concept, unit, start, end },
      ...{ matchQuality, context, document, lineId },
    });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function rank({ matchQuality }: FactLocation): number {
  return QUALITIES.indexOf(matchQuality);
}
