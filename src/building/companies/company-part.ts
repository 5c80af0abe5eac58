/** Reads the files of one company, and derives the data from which the company's table rows are made. */

import { compareText } from '../../contract/compare-text.ts';
import type { FactsFilter, FilingReference } from '../../edgar/facts/company-facts.ts';
import { NO_FACTS, readCompanyFacts } from '../../edgar/facts/company-facts.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { isPeriodicReportForm } from '../../edgar/filings/forms.ts';
import { describeCompany, selectFormerNames } from '../../edgar/filings/listed-company.ts';
import type { FilingRecord, FormerName, Submissions } from '../../edgar/filings/submissions.ts';
import { readSubmissions } from '../../edgar/filings/submissions.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import type { FiledReport } from '../../edgar/reports/xbrl-report.ts';
import { addConceptCounts, type CompanyFigures, deriveCompanyFigures, isConceptUsed } from '../../figures/company.ts';
import { collectReportFacts } from '../../figures/filings/report-facts.ts';
import { toCoverFacts } from '../../figures/shares/cover-shares.ts';
import { sumNumbers } from '../../platform/collections.ts';
import { throwIfMachineFault } from '../../platform/files/system-error.ts';
import type { Company, CoverageState, FilingActivity, Security } from '../../store/schema/companies.ts';
import { collectFilingsListedElsewhere, type UnlistedFiling } from '../filings/company-filings.ts';
import type { FilingsListedElsewhere } from '../filings/read-filings.ts';
import type { SecurityQuotes } from '../market/company-prices.ts';
import { matchReports } from '../reports/stored-report.ts';
import { type CompanyNote, selectIndustry } from '../sources/company-notes.ts';
import type { ReadingReport } from '../tasks/reading.ts';
import type { Slice } from '../tasks/slices.ts';
import { checkCompany } from './company-checks.ts';

/** A security in a company's files. If several companies claim a ticker, `small-tables.ts` assigns it to one. */
type SecurityClaim = Pick<Security, 'ticker' | 'tickerNormalized' | 'exchange' | 'isPrimary'>;

/** A row of the table of companies, without the fields that depend on the company's list of filings. */
type CompanyWithoutFilingActivity = Omit<Company, keyof FilingActivity | 'gone'>;

/** Derived data of one company, from which the rows of all tables are made. */
export interface DerivedCompany {
  readonly company: CompanyWithoutFilingActivity;
  readonly securities: readonly SecurityClaim[];
  readonly formerNames: readonly FormerName[];
  readonly figures: CompanyFigures;
  readonly findings: ReturnType<typeof checkCompany>;
  /** Filings that reported facts but are missing from the company's list. */
  readonly unlistedFilings: readonly UnlistedFiling[];
  readonly filings: readonly FilingRecord[];
  /** Facts from which figures are derived, from company facts and from reports. */
  readonly facts: readonly Fact[];
  /**
   * All facts of the SEC's file of company facts, and facts that only reports contain; null if the release omits tagged
   * facts.
   */
  readonly taggedFacts: readonly Fact[] | null;
  /** Tagged reports filed on or before the release's date. */
  readonly reports: readonly FiledReport[];
}

/** The result of reading a company's files; `part` is null if the company gets no rows in the release. */
export interface CompanyReading extends ReadingReport {
  readonly part: DerivedCompany | null;
  /** The latest filing date among facts filed after the release's date; null without such facts. */
  readonly filedAfterCutoff: string | null;
  /** Whether reports filed after the release's date were skipped. */
  readonly hasLaterReports: boolean;
  /** Number of fact rows in the file, including skipped rows. */
  readonly factRows: number;
  /** Bytes of the facts file plus characters of the submissions. */
  readonly bytes: number;
}

const NO_SUBMISSIONS: Submissions = readSubmissions(null);

/** Data about a company from files shared by several companies. */
export interface CompanySources {
  readonly cik: number;
  readonly tickers: readonly TickerRow[];
  /** The company's tagged reports, written by earlier tasks. */
  readonly reports: readonly Slice[];
  /** Whether the release includes all tagged facts of the company. */
  readonly includesFacts: boolean;
  readonly note: CompanyNote | null;
}

/** Reads the files of one company. Skips and counts bad files and rows; never throws because of a file's content. */
export async function readCompany(
  files: PublicFiles,
  { cik, tickers, reports: slices, includesFacts, note }: CompanySources,
  { indexRows, pages, ownershipFilings }: FilingsListedElsewhere,
  quotes: readonly SecurityQuotes[],
  { releaseDate, today }: { readonly releaseDate: string; readonly today: string },
): Promise<CompanyReading> {
  const collector = new ReadingCollector(cik);
  const { skipped } = collector;
  const submissions = await collector.read('submissions', NO_SUBMISSIONS, async () => {
    const { mainFile, pageFiles } = await files.readSubmissionFiles(cik);
    collector.addBytes(mainFile, ...pageFiles);
    return mainFile === null && pageFiles.length === 0 ? NO_SUBMISSIONS : readSubmissions(mainFile, pageFiles);
  });
  const listedAccessions = new Set(submissions.filings.map(({ accession }) => accession));
  const selection: FactsFilter = {
    isConceptWanted: includesFacts ? () => true : isConceptUsed,
    cutoffDay: releaseDate,
    today,
    listedAccessions,
  };
  const fileFacts = await collector.read('facts', NO_FACTS, async () => {
    const bytes = await files.readFacts(cik);
    collector.addBytes(bytes);
    const facts = bytes === null ? NO_FACTS : readCompanyFacts(bytes, selection);
    if (facts.cik === null || facts.cik === cik) return facts;
    throw new Error(`the file contains the facts of another company, CIK ${facts.cik}`);
  });
  const companyFacts = includesFacts ? { ...fileFacts, facts: fileFacts.facts.filter(isFactUsed) } : fileFacts;
  skipped.addAll(companyFacts.skipped);
  const { filedAfterCutoff, filedAfterToday, rawConcepts } = companyFacts;
  if (filedAfterToday !== null) {
    collector.problems.push(
      `${files.getFactsFileName(cik)}: facts of CIK ${cik} have filing dates in the future, such as ${filedAfterToday}`,
    );
  }
  skipped.addAll(submissions.skipped);
  const otherFilings = collectFilingsListedElsewhere({ indexRows, pages });
  const filings = [...submissions.filings, ...otherFilings.filter(({ accession }) => !listedAccessions.has(accession))];
  const allReports = matchReports(slices, { cik, facts: companyFacts.facts, filings }, collector);
  const reports = allReports.filter(({ filed }) => filed <= releaseDate);
  skipped.add('a report filed after the date of the release', allReports.length - reports.length);
  const skip = (reason: string) => skipped.add(reason);
  const factsOfReports = collectReportFacts(reports, companyFacts.facts, { isWanted: isConceptUsed, skip });
  const newFacts = [...factsOfReports, ...toCoverFacts(reports, companyFacts.facts)];
  const latestReports = [...reports].sort((a, b) => compareText(b.filed, a.filed));
  const filer = latestReports.find((report) => report.registrant !== null)?.registrant ?? null;
  const { securities, ...companyFields } = describeCompany(cik, submissions.filer, tickers, {
    name: companyFacts.entityName ?? filer,
    sic: latestReports.find(({ filing }) => filing?.sic)?.filing?.sic ?? null,
  });
  const factRows =
    sumNumbers(rawConcepts.map(({ factCount }) => factCount)) + sumNumbers(Object.values(companyFacts.skipped));
  const reading = { factRows, filedAfterCutoff, hasLaterReports: reports.length < allReports.length };
  // False for thousands of companies that appear only in statement sets and indexes of all filers.
  const hasFiles = submissions !== NO_SUBMISSIONS || pages.length > 0 || ownershipFilings.length > 0;
  const isListed = securities.length > 0 && hasFiles && (filings.length > 0 || ownershipFilings.length > 0);
  if (rawConcepts.length === 0 && newFacts.length === 0 && !isListed) {
    skipped.add('a filer that has no facts and lacks a ticker or filings');
    return collector.finish(null, reading);
  }
  const facts = newFacts.length === 0 ? companyFacts.facts : [...companyFacts.facts, ...newFacts];
  const derivedFigures = deriveCompanyFigures(facts, submissions.filings, {
    releaseDate,
    rawConcepts: newFacts.length === 0 ? rawConcepts : addConceptCounts(rawConcepts, newFacts),
    quotes: findPrimaryQuotes(securities, quotes),
  });
  skipped.addAll(derivedFigures.skipped);
  const isPartial = note?.hasPartialFacts === true;
  if (isPartial && derivedFigures.screen !== null)
    skipped.add('a company with only some of its facts, left out of the screener');
  const screen = isPartial ? null : derivedFigures.screen;
  const figures = { ...derivedFigures, ...sortSplitsAndConcepts(derivedFigures), screen };
  const unlistedReports = reports.filter(({ accession }) => !listedAccessions.has(accession));
  const unlistedFilings = [
    ...new Map<string, FilingReference | FiledReport>(
      [...companyFacts.filings, ...unlistedReports].map((filing) => [filing.accession, filing]),
    ).values(),
  ].map(toUnlistedFiling);
  // From here on, `listedAccessions` also contains the filings in `unlistedFilings`.
  for (const { accession } of unlistedFilings) listedAccessions.add(accession);
  const company: CompanyWithoutFilingActivity = {
    ...companyFields,
    ...selectIndustry(companyFields, note),
    partialFacts: isPartial ? true : null,
    coverageState: determineCoverageState(figures),
    metricValueCount: figures.metricValueCount,
    rawFactCount: figures.rawFactCount,
  };
  const derived = {
    company,
    securities: securities.map((security) => ({ ...security, exchange: security.exchange ?? '' })),
    formerNames: selectFormerNames(submissions.filer, companyFields.entityName),
    figures,
    findings: checkCompany(
      facts,
      figures.reportedValues,
      {
        cik,
        relations: figures.relations,
        figures: figures.figures,
        screen: figures.screen && { ...figures.screen.figures, unconfirmed: figures.screen.unconfirmed },
        filings: listedAccessions,
      },
      figures.decisions,
      releaseDate,
    ),
    unlistedFilings,
    filings: submissions.filings,
    facts,
    taggedFacts: includesFacts ? [...fileFacts.facts, ...newFacts] : null,
    reports,
  };
  return collector.finish(derived, reading);
}

function toUnlistedFiling(source: FilingReference | FiledReport): UnlistedFiling {
  const { accession, form, filed } = source;
  const filing = 'filing' in source ? source.filing : undefined;
  // The report date of a current report is the day of its event, not the end of its statements' period.
  const date = isPeriodicReportForm(form) ? (filing?.reportDate ?? null) : null;
  return { accession, form, filed, reportDate: date, accepted: filing?.accepted ?? null };
}

const isFactUsed = ({ taxonomy, concept }: Fact): boolean => isConceptUsed(taxonomy, concept);

/** Returns the prices of the primary security, which the screener uses; null if the security has no prices. */
export function findPrimaryQuotes(
  securities: readonly Pick<SecurityClaim, 'tickerNormalized' | 'isPrimary'>[],
  quotes: readonly SecurityQuotes[],
): SecurityQuotes | null {
  const primary = securities.find(({ isPrimary }) => isPrimary) ?? securities[0];
  return quotes.find(({ tickerNormalized }) => tickerNormalized === primary?.tickerNormalized) ?? null;
}

function determineCoverageState({ screen, coveredKeys }: CompanyFigures): CoverageState {
  if (screen !== null) return 'covered';
  return coveredKeys.length > 0 ? 'partial' : 'none';
}

/** Sorts splits and raw concepts in the order of their tables. */
const sortSplitsAndConcepts = ({ splits, rawConcepts }: CompanyFigures): Partial<CompanyFigures> => ({
  splits: [...splits].sort((a, b) => compareText(a.effective, b.effective) || compareText(a.accession, b.accession)),
  rawConcepts: [...rawConcepts].sort(
    (a, b) => compareText(a.taxonomy, b.taxonomy) || compareText(a.concept, b.concept) || compareText(a.unit, b.unit),
  ),
});

/** Collects problems, and counts bytes and skipped rows, while a company's files are read. */
class ReadingCollector {
  readonly skipped = new SkippedRowCounts();
  readonly problems: string[] = [];
  #byteCount = 0;

  constructor(private readonly cik: number) {}

  async read<T>(kind: string, fallback: T, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (cause) {
      throwIfMachineFault(`The ${kind} file of CIK ${this.cik}`, cause);
      this.skipped.add(`a ${kind} file that cannot be read`);
      this.problems.push(`${kind} of CIK ${this.cik}: ${cause instanceof Error ? cause.message : String(cause)}`);
      return fallback;
    }
  }

  addBytes(...files: readonly (string | Buffer | null)[]): void {
    for (const file of files) this.#byteCount += file?.length ?? 0;
  }

  finish(part: DerivedCompany | null, rest: Pick<CompanyReading, 'factRows' | 'filedAfterCutoff' | 'hasLaterReports'>) {
    return { part, ...rest, bytes: this.#byteCount, skipped: this.skipped.getCounts(), problems: this.problems };
  }
}
