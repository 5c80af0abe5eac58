import type { Fact } from '../../../edgar/facts/fact-row.ts';
import type { FiledReport } from '../../../edgar/reports/tagged-report.ts';
import { type FactLocation, locator, type MatchQuality } from '../../../figures/filings/fact-location.ts';
import { pushTo } from '../../../figures/groups.ts';
import { conceptName, isMapped } from '../../../figures/metrics/concepts.ts';
import type { LocationRow } from '../../schema/segments.ts';

/** Best first. */
const QUALITIES: readonly MatchQuality[] = ['unique', 'ambiguous', 'hidden_only', 'none'];

/**
 * Where the facts that metrics are read from stand in their documents. Of several documents of a filing the one that
 * shows a fact best counts.
 */
export function locationRows(facts: readonly Fact[], reports: readonly FiledReport[]): LocationRow[] {
  const documents = new Map<string, ReturnType<typeof locator>[]>();
  for (const report of reports) {
    if (report.kind === 'data_set') continue;
    pushTo(documents, report.accession, locator(report));
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
