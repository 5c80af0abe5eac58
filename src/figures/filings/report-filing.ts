/**
 * Finds the filing that a report belongs to. A report states its company, form and period, but not its accession
 * number.
 */

import type { Fact } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { TaggedReport } from '../../edgar/reports/xbrl-report.ts';
import { getOnlyElement, groupBy } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';

/** The fields of a report that identify its filing. */
type ReportIdentity = Pick<TaggedReport, 'kind' | 'form' | 'periodEnd' | 'coverPeriodEnd'>;

/** A filing without the name of its document. */
type FilingReference = Pick<FilingRecord, 'accession' | 'form' | 'filed'>;

interface FilingOfReport extends FilingReference {
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
 * Maximum number of days from a filing's period end to the end of any of its facts. Later facts are about subsequent
 * events; facts at least a quarter later show that the period is a comparative.
 */
const MAX_DAYS_TO_LATER_FACT = 60;
/**
 * Maximum number of days from the end of a period to its report: the longest deadline (four months for annual reports,
 * 45 days for interim reports) and the extension for late reports.
 */
const MAX_DAYS_TO_REPORT = { annual: 140, interim: 55 } as const;

/**
 * Finds a report's filing: the only filing in the company's lists with the folder's accession number, else with the
 * document's name, else with the form and period. Lists may not go back far enough, and indexes state no periods, so
 * the last choices are the only filing whose facts state the form and period, and the only filing of the form in the
 * days in which a report for the period is due. Returns the reason as text if no filing, or several filings, match.
 * @param filings filings from the company's list, and from indexes, which state no period
 */
export function findFiling(
  report: ReportIdentity,
  source: ReportSource,
  filings: readonly FilingRecord[],
  facts: readonly Fact[],
): FilingOfReport | string {
  const ofPeriod = filings.filter((filing) => isOfReportPeriod(filing, report));
  const listedFiling =
    getOnlyElement(filings.filter((filing) => filing.accession === source.accession)) ??
    getOnlyElement(filings.filter((filing) => filing.primaryDocument === source.document)) ??
    getOnlyElement(ofPeriod);
  if (listedFiling !== null) {
    // A file outside its filing's folder may have been renamed. Only an inline report is known to be the primary
    // document.
    const primary = report.kind === 'inline' ? listedFiling.primaryDocument : null;
    return addDocument(listedFiling, source.accession === null ? primary : source.document);
  }
  if (source.accession !== null) {
    const fact = facts.find(({ accession }) => accession === source.accession);
    return fact === undefined ? describeUnmatchedReport(report, source, []) : addDocument(fact, source.document);
  }
  // If several listed filings have the form and period, the other sources cannot distinguish them either.
  let candidates: readonly FilingReference[] = ofPeriod;
  if (candidates.length === 0) candidates = findFilingsByFacts(report, facts);
  if (candidates.length === 0) candidates = findFilingsByDueDate(report, filings, facts);
  const match = getOnlyElement(candidates);
  // A file outside its filing's folder may have been renamed.
  return match === null ? describeUnmatchedReport(report, source, candidates) : addDocument(match, null);
}

function addDocument({ accession, form, filed }: FilingReference, document: string | null): FilingOfReport {
  return { accession, form, filed, document };
}

/**
 * Returns the period ends that a report states: of the context of its cover, and on the cover. They differ if the
 * context has the last day of the month, or a wrong day.
 */
const listPeriodEnds = ({ periodEnd, coverPeriodEnd }: ReportIdentity): readonly string[] =>
  [periodEnd, coverPeriodEnd].filter((end) => end !== null);

function isOfReportPeriod({ form, reportDate }: FilingRecord, report: ReportIdentity): boolean {
  if (form !== report.form || reportDate === null) return false;
  return listPeriodEnds(report).some((end) => isSameEnd(reportDate, end));
}

const isSameEnd = (a: string, b: string): boolean => Math.abs(countDaysBetween(a, b)) <= MAX_DAYS_FROM_REPORT_DATE;

/**
 * Returns the filings of the report's form with facts for its period, and no facts for a later period: later filings
 * repeat the period as a comparative. Facts of cover pages do not count, because their dates are after the period.
 */
function findFilingsByFacts(report: ReportIdentity, facts: readonly Fact[]): readonly FilingReference[] {
  const ofForm = facts.filter(
    ({ taxonomy, form, end, filed }) => form === report.form && taxonomy !== 'dei' && end <= filed,
  );
  const ends = listPeriodEnds(report);
  return [...groupBy(ofForm, ({ accession }) => accession).values()].flatMap((ofFiling) => {
    const isOfPeriod = (periodEnd: string) =>
      ofFiling.some(({ end }) => isSameEnd(end, periodEnd)) &&
      ofFiling.every(({ end }) => end <= addDays(periodEnd, MAX_DAYS_TO_LATER_FACT));
    return ends.some(isOfPeriod) ? ofFiling.slice(0, 1) : [];
  });
}

/**
 * Returns the filings of unknown periods that have the report's form and were filed in the days in which a report for
 * the period is due. Filings with facts have known periods.
 */
function findFilingsByDueDate(report: ReportIdentity, filings: readonly FilingRecord[], facts: readonly Fact[]) {
  const formClass = report.form === null ? null : classifyForm(report.form);
  if (formClass === null || formClass === 'current') return [];
  const ends = listPeriodEnds(report);
  const isDue = ({ filed }: FilingRecord) =>
    ends.some((end) => filed > end && filed <= addDays(end, MAX_DAYS_TO_REPORT[formClass]));
  const due = filings.filter((filing) => filing.form === report.form && filing.reportDate === null && isDue(filing));
  const ofFacts = new Set(due.length === 0 ? [] : facts.map(({ accession }) => accession));
  return due.filter(({ accession }) => !ofFacts.has(accession));
}

/** Returns the reason why a report has no filing, for a sentence that begins with the company. */
function describeUnmatchedReport(
  report: ReportIdentity,
  { accession }: ReportSource,
  candidates: readonly FilingReference[],
): string {
  const period = [...new Set(listPeriodEnds(report))].join(' or ');
  if (report.form === null) return 'a report whose form is unknown, because it states no dei:DocumentType';
  if (period === '') return 'a report whose period is unknown, because it states no dei:DocumentPeriodEndDate';
  const target = `of form ${report.form} for the period ending ${period}`;
  if (candidates.length > 1) {
    const names = candidates.map((filing) => filing.accession).join(', ');
    return `${candidates.length} filings ${target} (${names}); put the report into a folder named by its accession number`;
  }
  const sources = 'in the lists of filings, the indexes and company facts';
  const number = accession === null ? '' : `${accession}, and none `;
  return `no filing ${number}${target} ${sources}; add its submissions, or an index of the quarter in which it was filed`;
}
