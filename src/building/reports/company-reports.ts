/** Matches one company's tagged reports with their filings. */
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { isPeriodicReportForm } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { FiledReport } from '../../edgar/reports/tagged-report.ts';
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
  const periodEnds = listPeriodEnds(storedReports, filings);
  return storedReports.flatMap((storedReport): FiledReport[] => {
    if ('set' in storedReport) {
      const filingFacts = facts.filter(({ accession }) => accession === storedReport.set.accession);
      const report = addExactDates(storedReport.set, { filingPeriods: filingFacts, periodEnds });
      skipped.addAll(report.skipped);
      return [report];
    }
    const filing = findFiling(storedReport.report, storedReport.source, filings, facts);
    if (typeof filing !== 'string')
      return [{ ...storedReport.report, ...filing, cik, labels: new Map(storedReport.labels) }];
    skipped.add('a report of an unknown filing');
    addProblem(`${storedReport.name}: a report of an unknown filing, because CIK ${cik} has ${filing}`);
    return [];
  });
}

/** Returns the period ends of the company's annual and interim reports. */
function listPeriodEnds(storedReports: readonly StoredReport[], filings: readonly FilingRecord[]): readonly string[] {
  const formsWithPeriodEnds = [
    ...storedReports.map((storedReport) => ('set' in storedReport ? storedReport.set : storedReport.report)),
    ...filings.map(({ form, reportDate }) => ({ form, periodEnd: reportDate })),
  ];
  return formsWithPeriodEnds.flatMap(({ form, periodEnd }) =>
    form !== null && isPeriodicReportForm(form) && periodEnd !== null ? [periodEnd] : [],
  );
}
