/** One company's tagged reports, matched to their filings: from its documents and from the quarterly sets. */

import type { Fact } from '../../../edgar/facts/fact-row.ts';
import type { SkippedRows } from '../../../edgar/files/skipped-rows.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import type { FiledReport } from '../../../edgar/reports/tagged-report.ts';
import { filingOf } from '../../../figures/filings/report-filing.ts';
import { withExactDates } from '../../../figures/filings/statement-set-dates.ts';
import { isSegmentFact } from '../../../figures/segments/breakdowns.ts';
import type { StoredReport } from './collect-reports.ts';

export interface CompanyFile {
  readonly cik: number;
  readonly facts: readonly Fact[];
  readonly filings: readonly FilingRecord[];
  /** The release's date. */
  readonly date: string;
}

/** What belongs to no filing that is known is counted; what was filed after the release's date is not in it. */
export function filedReports(
  stored: readonly StoredReport[],
  company: CompanyFile,
  skipped: SkippedRows,
): FiledReport[] {
  const { cik, facts, filings, date } = company;
  return stored
    .flatMap((entry): FiledReport[] => {
      if ('set' in entry) {
        const report = withExactDates(
          entry.set,
          facts.filter(({ accession }) => accession === entry.set.accession),
        );
        for (const [reason, count] of Object.entries(report.skipped)) skipped.add(reason, count);
        return [report];
      }
      const filing = filingOf(entry.report, entry.source, filings, facts);
      if (filing !== null) return [{ ...entry.report, ...filing, cik, labels: new Map(entry.labels) }];
      skipped.add('a report that belongs to no filing on file');
      return [];
    })
    .filter(({ filed }) => filed <= date);
}

/**
 * One report for each filing. A filing comes as its document, as the instance made from it, and in the sets: the
 * one that states most counts, and of equals the one that can be read.
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
