/** One company's tagged reports, matched to their filings: from its documents and from the quarterly sets. */
import { basename } from 'node:path';
import type { ReportFile } from '../../edgar/report-files.ts';
import type { ReportReader } from '../../edgar/report-reader.ts';
import type { Tally } from '../../edgar/tally.ts';
import { filingOf } from '../../figures/report-filing.ts';
import { isSegmentFact } from '../../figures/segments/cuts.ts';
import { withExactDates } from '../../figures/statement-set-dates.ts';
import type { StatementSetReport } from '../../figures/statement-set-types.ts';
import type { FiledReport } from '../../figures/tagged-report.ts';
import type { Fact, FilingRecord } from '../../figures/types.ts';

export interface CompanyFile {
  readonly cik: number;
  readonly facts: readonly Fact[];
  readonly filings: readonly FilingRecord[];
  /** The release's date. */
  readonly date: string;
}

/** What cannot be read, or belongs to no filing that is known, is counted. */
export async function readReports(
  files: readonly ReportFile[],
  sets: readonly StatementSetReport[],
  company: CompanyFile,
  reader: ReportReader,
  tally: Tally,
): Promise<readonly FiledReport[]> {
  const { cik, facts, filings, date } = company;
  const filed: FiledReport[] = [];
  for (const file of files) {
    try {
      const { report, labels } = await reader.read(file);
      for (const [reason, count] of Object.entries(report.setAside)) tally.add(reason, count);
      const filing = filingOf(report, { document: basename(file.path), accession: file.accession }, filings, facts);
      if (filing === null) tally.add('a report that belongs to no filing on file');
      else filed.push({ ...report, ...filing, cik, labels });
    } catch {
      tally.add('a report that cannot be read');
    }
  }
  for (const set of sets) {
    const periods = facts.filter((fact) => fact.accession === set.accession);
    const report = withExactDates(set, periods);
    for (const [reason, count] of Object.entries(report.setAside)) tally.add(reason, count);
    filed.push(report);
  }
  return filed.filter((report) => report.filed <= date);
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
