/** All table rows of one company, made from that company's files alone. */

import { compareText } from '../../contract/compare-text.ts';
import type { CompanyFacts, FactsSelection, FilingReference } from '../../edgar/facts/company-facts.ts';
import { NO_FACTS, readCompanyFacts } from '../../edgar/facts/company-facts.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { SkippedRows } from '../../edgar/files/skipped-rows.ts';
import { describeCompany, formerNamesOf } from '../../edgar/filings/listed-company.ts';
import type { FilingRecord, FormerName, Submissions } from '../../edgar/filings/submissions.ts';
import { readSubmissions } from '../../edgar/filings/submissions.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import type { FiledReport } from '../../edgar/reports/tagged-report.ts';
import type { CompanyFigures } from '../../figures/company.ts';
import { addToCounts, deriveCompany, isConceptUsed } from '../../figures/company.ts';
import { reportFacts } from '../../figures/filings/report-facts.ts';
import { coverFacts } from '../../figures/shares/cover-shares.ts';
import { sumNumbers } from '../../platform/collections.ts';
import { throwMachineFault } from '../../platform/system-error.ts';
import type { Company, CoverageState, FilingCount } from '../../store/schema/companies.ts';
import { filingsListedElsewhere } from '../filings/company-filings.ts';
import type { OtherFilings } from '../filings/read-filings.ts';
import type { SecurityQuotes } from '../market/company-prices.ts';
import { companyReports } from '../reports/company-reports.ts';
import type { Slice } from '../tasks/slices.ts';
import type { CompanyFindings } from './company-checks.ts';
import { checkCompany } from './company-checks.ts';

export interface SecurityClaim {
  readonly ticker: string;
  readonly tickerNormalized: string;
  readonly exchange: string;
  readonly isPrimary: boolean;
}

/** A company without the counts of its filings. */
export type UncountedCompany = Omit<Company, keyof FilingCount | 'gone'>;

export interface CompanyPart {
  readonly company: UncountedCompany;
  readonly securities: readonly SecurityClaim[];
  readonly formerNames: readonly FormerName[];
  readonly figures: CompanyFigures;
  readonly findings: CompanyFindings;
  /** Filings that figures were read from and that are missing in the company's list. */
  readonly unlisted: readonly FilingReference[];
  /** The company's own list. */
  readonly filings: readonly FilingRecord[];
  /** The facts that figures are read from, of company facts and of reports. */
  readonly facts: readonly Fact[];
  /** Tagged reports filed by the release's date. */
  readonly reports: readonly FiledReport[];
}

/** What was read for one company, even if the company has no rows in the release. */
export interface CompanyReading {
  readonly part: CompanyPart | null;
  /** The latest day of facts that were filed after the release's date. */
  readonly filedLater: string | null;
  /** Whether reports were skipped because they were filed after the release's date. */
  readonly hasLaterReports: boolean;
  /** Rows of facts in the file: used and skipped. */
  readonly factRows: number;
  readonly bytes: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** Files that could not be read at all, as sentences. */
  readonly problems: readonly string[];
}

const NO_SUBMISSIONS: Submissions = readSubmissions(null);

/** What other files contain about a company. */
interface CompanySources extends OtherFilings {
  readonly cik: number;
  readonly tickers: readonly TickerRow[];
  readonly quotes: readonly SecurityQuotes[];
  /** The company's tagged reports, as an earlier task wrote them. */
  readonly reports: readonly Slice[];
}

/** Reads the files of one company. Skips and counts a bad file or row; never throws because of a file's content. */
export async function readCompany(
  files: PublicFiles,
  { cik, tickers, quotes, reports: slices, indexed, pages: filingPages, owned }: CompanySources,
  { releaseDate, today }: { readonly releaseDate: string; readonly today: string },
): Promise<CompanyReading> {
  const collector = new ReadingCollector(cik);
  const submissions = await collector.read('submissions', NO_SUBMISSIONS, async () => {
    const { mainFile: main, pageFiles: pages } = await files.submissions(cik);
    collector.addBytes(main, ...pages);
    return main === null && pages.length === 0 ? NO_SUBMISSIONS : readSubmissions(main, pages);
  });
  const listed = new Set(submissions.filings.map(({ accession }) => accession));
  const asked = { wanted: isConceptUsed, filedBy: releaseDate, today, listed };
  const facts = await collector.read('facts', NO_FACTS, async () => collector.ownFacts(await files.facts(cik), asked));
  collector.count(facts.skipped);
  const { filedAfterCutoff: filedLater, filedAfterToday: filedInFuture } = facts;
  if (filedInFuture !== null) {
    collector.report(
      `${files.factsFile(cik)}: facts of CIK ${cik} have filing dates in the future, such as ${filedInFuture}`,
    );
  }
  collector.count(submissions.skipped);
  const elsewhere = filingsListedElsewhere({ indexed, pages: filingPages });
  const filings = [...submissions.filings, ...elsewhere.filter(({ accession }) => !listed.has(accession))];
  const all = companyReports(slices, { cik, facts: facts.facts, filings }, collector.skipped);
  const reports = all.filter(({ filed }) => filed <= releaseDate);
  collector.skip('a report filed after the date of the release', all.length - reports.length);
  const skip = (reason: string) => collector.skip(reason);
  const stated = reportFacts(reports, facts.facts, { wanted: isConceptUsed, skip });
  const added = [...stated, ...coverFacts(reports, facts.facts)];
  const registrant = reports.findLast((report) => report.registrant !== null)?.registrant ?? null;
  const { securities, ...named } = describeCompany(cik, submissions.filer, tickers, facts.entityName ?? registrant);
  const factRows =
    sumNumbers(facts.rawConcepts.map(({ factCount }) => factCount)) + sumNumbers(Object.values(facts.skipped));
  const read = { factRows, filedLater, hasLaterReports: reports.length < all.length };
  // Statement sets and indexes of all filers name thousands of companies that no file of the sources is about.
  const isWanted = submissions !== NO_SUBMISSIONS || filingPages.length > 0 || owned.length > 0;
  const isFiler = securities.length > 0 && isWanted && (filings.length > 0 || owned.length > 0);
  if (facts.rawConcepts.length === 0 && added.length === 0 && !isFiler) {
    collector.skip('a filer without facts and without a ticker');
    return collector.done(null, read);
  }
  const usedFacts = added.length === 0 ? facts.facts : [...facts.facts, ...added];
  const derived = deriveCompany(usedFacts, submissions.filings, {
    releaseDate,
    rawConcepts: added.length === 0 ? facts.rawConcepts : addToCounts(facts.rawConcepts, added),
    quotes: quotesOf(securities, quotes),
  });
  collector.count(derived.skipped);
  const figures = { ...derived, ...inOrder(derived) };
  const reported = reports.filter(({ accession }) => !listed.has(accession));
  const unlisted = [
    ...new Map([...facts.filings, ...reported].map((filing) => [filing.accession, filing])).values(),
  ].map(({ accession, form, filed }) => ({ accession, form, filed }));
  // From here on `listed` has all filings of the company in the release.
  for (const { accession } of unlisted) listed.add(accession);
  const company: UncountedCompany = {
    ...named,
    coverageState: coverageState(figures),
    metricValueCount: figures.metricValueCount,
    rawFactCount: figures.rawFactCount,
  };
  const part = {
    company,
    securities: securities.map((security) => ({ ...security, exchange: security.exchange ?? '' })),
    formerNames: formerNamesOf(submissions.filer, named.entityName),
    figures,
    findings: checkCompany(
      cik,
      figures.reportedValues,
      {
        figures: figures.figures,
        screen: figures.screen?.figures ?? null,
        filings: listed,
      },
      releaseDate,
    ),
    unlisted,
    filings: submissions.filings,
    facts: usedFacts,
    reports,
  };
  return collector.done(part, read);
}

/** The prices of the primary ticker, which the screener uses. */
export function quotesOf(
  securities: readonly Pick<SecurityClaim, 'tickerNormalized' | 'isPrimary'>[],
  quotes: readonly SecurityQuotes[],
): SecurityQuotes | null {
  const primary = securities.find(({ isPrimary }) => isPrimary) ?? securities[0];
  return quotes.find(({ tickerNormalized }) => tickerNormalized === primary?.tickerNormalized) ?? null;
}

function coverageState({ screen, coveredKeys }: CompanyFigures): CoverageState {
  if (screen !== null) return 'covered';
  return coveredKeys.length > 0 ? 'partial' : 'none';
}

/** Sorts rows into the order of the tables; raw concepts by taxonomy, concept, unit. */
function inOrder({ splits, rawConcepts }: CompanyFigures): Partial<CompanyFigures> {
  return {
    splits: [...splits].sort((a, b) => compareText(a.effective, b.effective) || compareText(a.accession, b.accession)),
    rawConcepts: [...rawConcepts].sort(
      (a, b) => compareText(a.taxonomy, b.taxonomy) || compareText(a.concept, b.concept) || compareText(a.unit, b.unit),
    ),
  };
}

/** Counts the bytes, skipped rows and problems of one company's files. */
class ReadingCollector {
  readonly #cik: number;
  readonly skipped = new SkippedRows();
  readonly #problems: string[] = [];
  #bytes = 0;

  constructor(cik: number) {
    this.#cik = cik;
  }

  async read<T>(what: string, otherwise: T, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (cause) {
      throwMachineFault(`The ${what} file of CIK ${this.#cik}`, cause);
      this.skipped.add(`a ${what} file that cannot be read`);
      this.#problems.push(`${what} of CIK ${this.#cik}: ${cause instanceof Error ? cause.message : String(cause)}`);
      return otherwise;
    }
  }

  /**
   * The facts of a file, or null if the file is another company's. Parses individually only the facts that figures
   * are read from.
   */
  ownFacts(bytes: Buffer | null, question: FactsSelection): CompanyFacts {
    this.addBytes(bytes);
    const facts = bytes === null ? NO_FACTS : readCompanyFacts(bytes, question);
    if (facts.cik === null || facts.cik === this.#cik) return facts;
    throw new Error(`it belongs to another company, CIK ${facts.cik}`);
  }

  addBytes(...files: readonly (string | Buffer | null)[]): void {
    for (const file of files) this.#bytes += file?.length ?? 0;
  }

  count(counts: Readonly<Record<string, number>>): void {
    for (const [reason, count] of Object.entries(counts)) this.skipped.add(reason, count);
  }

  report(problem: string): void {
    this.#problems.push(problem);
  }

  skip(reason: string, count = 1): void {
    if (count > 0) this.skipped.add(reason, count);
  }

  done(
    part: CompanyPart | null,
    read: Pick<CompanyReading, 'factRows' | 'filedLater' | 'hasLaterReports'>,
  ): CompanyReading {
    return { part, ...read, bytes: this.#bytes, skipped: this.skipped.counts(), problems: this.#problems };
  }
}
