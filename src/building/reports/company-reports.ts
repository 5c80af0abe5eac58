/** Matches one company's tagged reports with their filings. */
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { isPeriodicReportForm } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { FiledReport } from '../../edgar/reports/xbrl-report.ts';
import { findFiling } from '../../figures/filings/report-filing.ts';
import { addExactDates } from '../../figures/filings/statement-set-dates.ts';
import { readSlices, type Slice } from '../tasks/slices.ts';
import { parseStoredReports, type StoredReport } from './stored-report.ts';

interface CompanyRecords {
  readonly cik: number;
  readonly facts: readonly Fact[];
  /** Filings from the company's list, indexes and index pages. */
  readonly filings: readonly FilingRecord[];
}

/**
 * Returns the company's reports with their filings, documents first. Counts reports of unknown filings, and adds a
 * problem for each.
 */
export function matchReports(
  slices: readonly Slice[],
  company: CompanyRecords,
  { skipped, addProblem }: { readonly skipped: SkippedRowCounts; readonly addProblem: (problem: string) => void },
): FiledReport[] {
  if (slices.length === 0) return [];
  const { cik, facts, filings } = company;
  const storedReports = parseStoredReports(readSlices(slices));
  const ends = listPeriodEnds(storedReports, filings);
  return storedReports.flatMap((stored): FiledReport[] => {
    if ('set' in stored) {
      const filingFacts = facts.filter(({ accession }) => accession === stored.set.accession);
      const report = addExactDates(stored.set, { filingPeriods: filingFacts, periodEnds: ends });
      skipped.addAll(report.skipped);
      return [report];
    }
    const filing = findFiling(stored.report, stored.source, filings, facts);
    if (typeof filing !== 'string') return [{ ...stored.report, ...filing, cik, labels: new Map(stored.labels) }];
    skipped.add('a report of an unknown filing');
    addProblem(`${stored.name}: a report of an unknown filing, because CIK ${cik} has ${filing}`);
    return [];
  });
}

/** Returns the period ends of the company's annual and interim reports. */
function listPeriodEnds(storedReports: readonly StoredReport[], filings: readonly FilingRecord[]): readonly string[] {
  const forms = [
    ...storedReports.map((stored) => ('set' in stored ? stored.set : stored.report)),
    ...filings.map(({ form, reportDate }) => ({ form, periodEnd: reportDate })),
  ];
  return forms.flatMap(({ form, periodEnd }) =>
    form !== null && isPeriodicReportForm(form) && periodEnd !== null ? [periodEnd] : [],
  );
}
