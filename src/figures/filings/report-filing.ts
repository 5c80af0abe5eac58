/** The filing that a report came with. Reports name their company, form and period, never their accession number. */

import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { TaggedReport } from '../../edgar/reports/tagged-report.ts';
import { daysBetween } from '../../platform/dates.ts';

/** What identifies the filing of a report. */
type ReportFacts = Pick<TaggedReport, 'kind' | 'form' | 'periodEnd'>;

export interface FilingOfReport {
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly document: string | null;
}

/** What is known of a report apart from its contents. */
export interface ReportSource {
  /** The file's own name. */
  readonly document: string;
  /** From the name of the folder it was found in. */
  readonly accession: string | null;
}

/** Lists of filings date the periods of 52 and 53 week years a little off at times. */
const NEAR = 7;

/**
 * By the folder's accession, else by the name of the document, else by form and period: in the company's list
 * of filings, or, where the list does not reach that far, in its facts. Null when none or several fit.
 */
export function filingOf(
  report: ReportFacts,
  source: ReportSource,
  filings: readonly FilingRecord[],
  facts: readonly Fact[],
): FilingOfReport | null {
  const known =
    only(filings.filter((filing) => filing.accession === source.accession)) ??
    only(filings.filter((filing) => filing.primaryDocument === source.document)) ??
    only(filings.filter((filing) => covers(filing, report)));
  if (known !== null) {
    const { accession, form, filed, primaryDocument } = known;
    // In its folder a file has its own name; elsewhere an inline report is the primary document, and an instance is not.
    const named = report.kind === 'inline' ? primaryDocument : null;
    const document = source.accession === null ? named : source.document;
    return { accession, form, filed, document };
  }
  const own = facts.filter(
    ({ form, end, filed, accession }) =>
      (source.accession === null || accession === source.accession) &&
      form === report.form &&
      end === report.periodEnd &&
      filed >= end,
  );
  // Later filings report the period again, as their comparative.
  const first = own.sort((a, b) => (a.filed < b.filed ? -1 : 1))[0];
  if (first === undefined) return null;
  // Outside its folder a file may have any name.
  const document = source.accession === null ? null : source.document;
  return { accession: first.accession, form: first.form, filed: first.filed, document };
}

function covers(filing: FilingRecord, { form, periodEnd }: ReportFacts): boolean {
  if (filing.form !== form || periodEnd === null || filing.reportDate === null) return false;
  return Math.abs(daysBetween(filing.reportDate, periodEnd)) <= NEAR;
}

function only<T>(rows: readonly T[]): T | null {
  return rows.length === 1 ? (rows[0] ?? null) : null;
}
