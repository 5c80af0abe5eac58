/**
 * Finds the filing that a report belongs to. A report states its company, form and period, but not its accession
 * number.
 */

import type { Fact } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { TaggedReport } from '../../edgar/reports/tagged-report.ts';
import { getOnlyElement, groupBy } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';

/** The fields of a report that identify its filing. */
type ReportIdentity = Pick<TaggedReport, 'kind' | 'form' | 'periodEnd' | 'coverPeriodEnd'>;

interface FilingOfReport {
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

/** A filing without the name of its document. */
type FilingReference = Pick<FilingOfReport, 'accession' | 'form' | 'filed'>;

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
 * document's name, else with the form and period. Lists may not go back far enough, and indexes state no periods, so the
 * last choices are the only filing whose facts state the form and period, and the only filing of the form in the days
 * in which a report for the period is due. Returns the reason as text if no filing, or several filings, match.
 * @param filings filings from the company's list, and from indexes, which state no period
 */
export function findFiling(
  report: ReportIdentity,
  source: ReportSource,
  filings: readonly FilingRecord[],
  facts: readonly Fact[],
): FilingOfReport | string {
  const filingsOfPeriod = filings.filter((filing) => isOfReportPeriod(filing, report));
  const matchingFiling =
    getOnlyElement(filings.filter((filing) => filing.accession === source.accession)) ??
    getOnlyElement(filings.filter((filing) => filing.primaryDocument === source.document)) ??
    getOnlyElement(filingsOfPeriod);
  if (matchingFiling !== null) {
    const { accession, form, filed, primaryDocument } = matchingFiling;
    // A file outside its filing's folder may have been renamed. Only an inline report is known to be the primary
    // document.
    const inlineReportDocument = report.kind === 'inline' ? primaryDocument : null;
    const document = source.accession === null ? inlineReportDocument : source.document;
    return { accession, form, filed, document };
  }
  if (source.accession !== null) {
    const factOfFiling = facts.find(({ accession }) => accession === source.accession);
    if (factOfFiling === undefined) return describeUnmatchedReport(report, source, []);
    const { accession, form, filed } = factOfFiling;
    return { accession, form, filed, document: source.document };
  }
  // If several listed filings have the form and period, the other sources cannot distinguish them either.
  const candidates: readonly FilingReference[] =
    filingsOfPeriod.length > 0
      ? filingsOfPeriod
      : selectNonEmpty(findFilingsByFacts(report, facts), () => findFilingsByDueDate(report, filings, facts));
  const onlyFiling = getOnlyElement(candidates);
  if (onlyFiling === null) return describeUnmatchedReport(report, source, candidates);
  const { accession, form, filed } = onlyFiling;
  // A file outside its filing's folder may have been renamed.
  return { accession, form, filed, document: null };
}

const selectNonEmpty = <T>(choice: readonly T[], getAlternative: () => readonly T[]): readonly T[] =>
  choice.length > 0 ? choice : getAlternative();

/**
 * Returns the period ends that a report states: of the context of its cover, and on the cover. They differ if the
 * context has the last day of the month, or a wrong day.
 */
function listPeriodEnds({ periodEnd, coverPeriodEnd }: ReportIdentity): readonly string[] {
  return [periodEnd, coverPeriodEnd].filter((end) => end !== null);
}

function isOfReportPeriod({ form, reportDate }: FilingRecord, report: ReportIdentity): boolean {
  return (
    form === report.form &&
    reportDate !== null &&
    listPeriodEnds(report).some((end) => isSamePeriodEnd(reportDate, end))
  );
}

function isSamePeriodEnd(a: string, b: string): boolean {
  return Math.abs(countDaysBetween(a, b)) <= MAX_DAYS_FROM_REPORT_DATE;
}

/**
 * Returns the filings of the report's form with facts for its period, and no facts for a later period: later filings
 * repeat the period as a comparative. Facts of cover pages do not count, because their dates are after the period.
 */
function findFilingsByFacts(report: ReportIdentity, facts: readonly Fact[]): readonly FilingReference[] {
  const factsOfForm = facts.filter(
    ({ taxonomy, form, end, filed }) => form === report.form && taxonomy !== 'dei' && end <= filed,
  );
  const periodEnds = listPeriodEnds(report);
  return [...groupBy(factsOfForm, ({ accession }) => accession).values()].flatMap((factsOfFiling) => {
    const [firstFact] = factsOfFiling;
    const isOwnPeriod = (periodEnd: string) =>
      factsOfFiling.some(({ end }) => isSamePeriodEnd(end, periodEnd)) &&
      factsOfFiling.every(({ end }) => end <= addDays(periodEnd, MAX_DAYS_TO_LATER_FACT));
    return firstFact !== undefined && periodEnds.some(isOwnPeriod) ? [firstFact] : [];
  });
}

/**
 * Returns the filings of unknown periods that have the report's form and were filed in the days in which a report for
 * the period is due. Filings with facts have known periods.
 */
function findFilingsByDueDate(
  report: ReportIdentity,
  filings: readonly FilingRecord[],
  facts: readonly Fact[],
): readonly FilingReference[] {
  const formClass = report.form === null ? null : classifyForm(report.form);
  if (formClass === null || formClass === 'current') return [];
  const filingsOfUnknownPeriod = filings.filter(
    ({ form, reportDate, filed }) =>
      form === report.form &&
      reportDate === null &&
      listPeriodEnds(report).some((end) => filed > end && filed <= addDays(end, MAX_DAYS_TO_REPORT[formClass])),
  );
  const accessionsOfFacts = new Set(filingsOfUnknownPeriod.length === 0 ? [] : facts.map(({ accession }) => accession));
  return filingsOfUnknownPeriod.filter(({ accession }) => !accessionsOfFacts.has(accession));
}

/** Returns the reason why a report has no filing, for a sentence that begins with the company. */
function describeUnmatchedReport(
  report: ReportIdentity,
  { accession }: ReportSource,
  candidates: readonly FilingReference[],
): string {
  const periodText = [...new Set(listPeriodEnds(report))].join(' or ');
  if (report.form === null) return 'a report whose form is unknown, because it states no dei:DocumentType';
  if (periodText === '') return 'a report whose period is unknown, because it states no dei:DocumentPeriodEndDate';
  const wantedText = `of form ${report.form} for the period ending ${periodText}`;
  if (candidates.length > 1) {
    const accessionsText = candidates.map((filing) => filing.accession).join(', ');
    return `${candidates.length} filings ${wantedText} (${accessionsText}); put the report into a folder named by its accession number`;
  }
  const sourcesText = 'in the lists of filings, the indexes and company facts';
  const accessionText = accession === null ? '' : `${accession}, and none `;
  return `no filing ${accessionText}${wantedText} ${sourcesText}; add its submissions, or an index of the quarter in which it was filed`;
}
