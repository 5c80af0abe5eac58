import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { SkippedRows } from '../../edgar/files/skipped-rows.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { FiledReport } from '../../edgar/reports/tagged-report.ts';
import { filingOf } from '../../figures/filings/report-filing.ts';
import { withExactDates } from '../../figures/filings/statement-set-dates.ts';
import { isSegmentFact } from '../../figures/segments/breakdowns.ts';
import type { StoredReport } from './read-reports.ts';

export interface CompanyFile {
  readonly cik: number;
  readonly facts: readonly Fact[];
  readonly filings: readonly FilingRecord[];
}

/**
 * One company's tagged reports, from documents and statement sets, with the filings they came with. Reports of unknown
 * filings are counted.
 */
export function filedReports(
  stored: readonly StoredReport[],
  company: CompanyFile,
  skipped: SkippedRows,
): FiledReport[] {
  const { cik, facts, filings } = company;
  return stored.flatMap((entry): FiledReport[] => {
    if ('set' in entry) {
      const report = withExactDates(
        entry.set,
        facts.filter(({ accession }) => accession === entry.set.accession),
      );
      skipped.addAll(report.skipped);
      return [report];
    }
    const filing = filingOf(entry.report, entry.source, filings, facts);
    if (filing !== null) return [{ ...entry.report, ...filing, cik, labels: new Map(entry.labels) }];
    skipped.add('a report whose filing is not known');
    return [];
  });
}

/**
 * One report per filing. A filing may come as its document, as the instance made from it, and in a set: the one with most
 * facts of segments counts, of equals the document, then the instance.
 */
export function onePerFiling(reports: readonly FiledReport[]): readonly FiledReport[] {
  const best = new Map<string, { report: FiledReport; parts: number }>();
  for (const report of reports) {
    const parts = report.facts.filter((fact) => isSegmentFact(fact.concept, fact.dimensions)).length;
    const known = best.get(report.accession);
    const better =
      known === undefined ||
      parts > known.parts ||
      (parts === known.parts && KINDS.indexOf(report.kind) < KINDS.indexOf(known.report.kind));
    if (better) best.set(report.accession, { report, parts });
  }
  return [...best.values()].map(({ report }) => report);
}

const KINDS: readonly FiledReport['kind'][] = ['inline', 'instance', 'data_set'];
