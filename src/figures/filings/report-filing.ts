/**
 * Finds the filing that a report belongs to. A report states its company, form and period, but not its accession
 * number.
 */

import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { TaggedReport } from '../../edgar/reports/tagged-report.ts';
import { getOnlyElement } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';

/** The fields of a report that identify its filing. */
type ReportIdentity = Pick<TaggedReport, 'kind' | 'form' | 'periodEnd'>;

export interface FilingOfReport {
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly document: string | null;
}

/** The file and folder that contained a report. */
export interface ReportSource {
  /** The report's file name. */
  readonly document: string;
  /** The accession number in the folder's name; null if the name has no accession number. */
  readonly accession: string | null;
}

/**
 * Maximum number of days between the period ends of a report and of its filing: lists of filings sometimes shift the
 * periods of 52- and 53-week years.
 */
const MAX_DAYS_FROM_REPORT_DATE = 7;

/**
 * Finds a report's filing: the only filing in the company's list with the folder's accession number, else with the
 * document's name, else with the form and period. The list may not go back far enough, so the last choice is the
 * earliest match in the company's facts. Null if no filing matches.
 */
export function findFiling(
  report: ReportIdentity,
  source: ReportSource,
  filings: readonly FilingRecord[],
  facts: readonly Fact[],
): FilingOfReport | null {
  const matchingFiling =
    getOnlyElement(filings.filter((filing) => filing.accession === source.accession)) ??
    getOnlyElement(filings.filter((filing) => filing.primaryDocument === source.document)) ??
    getOnlyElement(filings.filter((filing) => isOfReportPeriod(filing, report)));
  if (matchingFiling !== null) {
    const { accession, form, filed, primaryDocument } = matchingFiling;
    // A file outside its filing's folder may have been renamed. Only an inline report is known to be the primary
    // document.
    const inlineReportDocument = report.kind === 'inline' ? primaryDocument : null;
    const document = source.accession === null ? inlineReportDocument : source.document;
    return { accession, form, filed, document };
  }
  const matchingFacts = facts.filter(
    ({ form, end, filed, accession }) =>
      (source.accession === null || accession === source.accession) &&
      form === report.form &&
      end === report.periodEnd &&
      filed >= end,
  );
  // Later filings repeat the period as a comparative, so the earliest filing is the report's own.
  const earliestFact = matchingFacts.sort((a, b) => (a.filed < b.filed ? -1 : 1))[0];
  if (earliestFact === undefined) return null;
  // A file outside its filing's folder may have been renamed.
  const document = source.accession === null ? null : source.document;
  return { accession: earliestFact.accession, form: earliestFact.form, filed: earliestFact.filed, document };
}

function isOfReportPeriod(filing: FilingRecord, { form, periodEnd }: ReportIdentity): boolean {
  if (filing.form !== form || periodEnd === null || filing.reportDate === null) return false;
  return Math.abs(countDaysBetween(filing.reportDate, periodEnd)) <= MAX_DAYS_FROM_REPORT_DATE;
}
