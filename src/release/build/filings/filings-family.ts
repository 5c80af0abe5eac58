/** The tables of filings and insider trades: company by company, and by day for all companies. */
import { type ListedFile, listFiles } from '../../../edgar/files/list-files.ts';
import { openPublicFiles, type PublicFiles } from '../../../edgar/files/public-files.ts';
import type { IndexRow } from '../../../edgar/filings/filing-index.ts';
import type { FilingPage } from '../../../edgar/filings/filing-page.ts';
import { isListingFile, type ListingHandler, readListings } from '../../../edgar/filings/listing-files.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import {
  isOwnershipFile,
  issuersWithTrades,
  readOwnershipFile,
  type SourcedOwnershipFiling,
} from '../../../edgar/insiders/ownership-files.ts';
import { entryOf } from '../../../figures/groups.ts';
import type { JudgedFiling } from '../../../figures/insiders/judge.ts';
import { closesNear } from '../../../figures/insiders/value-status.ts';
import {
  accessionKey,
  FILING_DOCUMENTS,
  FILING_PLACES,
  FILING_TABLES,
  FILINGS,
  type FilingRow,
} from '../../schema/filings.ts';
import {
  INSIDER_FILINGS,
  INSIDER_FOOTNOTES,
  INSIDER_OWNERS,
  INSIDER_TABLES,
  INSIDER_TRADES,
} from '../../schema/insiders.ts';
import type { Check } from '../../store/manifest.ts';
import { joinByKey, Spill } from '../../store/spill.ts';
import type { Family, FamilyContext } from '../family.ts';
import { filingsOf } from '../market/securities-index.ts';
import { SourceFileReader } from '../source-file-reader.ts';
import { documentRows, filingRows } from './company-filings.ts';
import { companyInsiders, insiderRows } from './company-insiders.ts';
import { FilingDayIndex } from './filing-day-index.ts';
import { identifyForms } from './identify-forms.ts';
import { InsiderDayIndex } from './insider-day-index.ts';

export const FILINGS_FAMILY: Family = {
  name: 'filings',
  tables: [...FILING_TABLES, ...INSIDER_TABLES],
  build: async (context) => {
    const files = await openPublicFiles(context.from);
    try {
      return await build(context, files);
    } finally {
      files.close();
    }
  },
};

/** The files of the directory that this family reads. */
export async function filingFiles(from: string): Promise<readonly ListedFile[]> {
  return (await listFiles(from)).filter(({ name }) => isListingFile(name) || isOwnershipFile(name));
}

/** The companies whose insiders' trades are in forms of the directory. A file that cannot be read is reported when it is read. */
export async function issuersOf(from: string): Promise<ReadonlySet<number>> {
  const issuers = new Set<number>();
  for (const file of (await listFiles(from)).filter(({ name }) => isOwnershipFile(name))) {
    const own = await issuersWithTrades(file).catch(() => []);
    for (const cik of own) issuers.add(cik);
  }
  return issuers;
}

async function build(context: FamilyContext, files: PublicFiles) {
  const { companies, date, scratch, sink, skipped, market } = context;
  const { listed, owned, hasListings, hasOwnership } = await collectFilings(context);
  if (!hasOwnership) context.omit(INSIDER_TABLES);
  const listedOf = joinByKey(listed.groups());
  const ownedOf = joinByKey(owned.groups());
  const pricesOf = joinByKey(market.prices());
  const filingDays = new FilingDayIndex(`${scratch}/days`);
  const insiderDays = new InsiderDayIndex(`${scratch}/insiders`);
  const accessions = new AccessionIndex();
  const checks = new FilingChecks();
  const lists = new Map<number, Promise<readonly FilingRecord[]>>();
  const listOf = (cik: number) => entryOf(lists, cik, () => filingsOf(files, cik));
  let hasFilings = files.submissionCiks.length > 0 || hasListings || hasOwnership;
  for (const { cik } of companies) {
    context.signal?.throwIfAborted();
    const own = listedOf(cik);
    const pages = own.flatMap((one) => ('page' in one ? [one.page] : []));
    const indexed = own.flatMap((one) => ('row' in one ? [one.row] : []));
    const list = await filingsOf(files, cik);
    const ownership = await identifyForms(ownedOf(cik), list, listOf, ({ source }, reason) => {
      skipped.add(reason);
      context.problems.push(`${source}: ${reason}`);
    });
    const stated = [...context.unlistedFilings(cik), ...(context.reports.filings.get(cik) ?? [])];
    const rows = filingRows({ cik, list, indexed, pages, ownership, stated, date });
    context.countFilings(cik, { filingCount: rows.length, latestFilingAt: rows[0]?.filed ?? null });
    hasFilings ||= rows.length > 0;
    sink(FILINGS).add(cik, rows);
    sink(FILING_DOCUMENTS).add(
      cik,
      documentRows(pages).map((row) => ({ cik, ...row })),
    );
    filingDays.add(rows);
    const shares = pricesOf(cik).filter(({ tickerNormalized }) => market.securities.isShare(tickerNormalized));
    const judged = companyInsiders(ownership, {
      closeOn: closesNear(shares),
      filed: new Map(rows.map((row) => [row.accession, row.filed])),
      date,
      withoutFootnotes: context.withoutFootnotes,
    });
    skipped.addAll(judged.skipped);
    const insiders = insiderRows(cik, judged.filings);
    sink(INSIDER_FILINGS).add(cik, insiders.filings);
    sink(INSIDER_OWNERS).add(cik, insiders.owners);
    sink(INSIDER_TRADES).add(cik, insiders.trades);
    sink(INSIDER_FOOTNOTES).add(cik, insiders.footnotes);
    insiderDays.add(cik, judged.filings);
    accessions.add(cik, new Set([...rows, ...insiders.filings].map(({ accession }) => accession)));
    checks.add(rows, judged.filings);
  }
  if (!hasFilings) context.omit(FILING_TABLES);
  const days = filingDays.write(sink);
  insiderDays.write(sink);
  accessions.write(sink);
  return checks.checks(days);
}

/** What indexes and pages say of a company's filings. */
type Listed = { readonly row: IndexRow } | { readonly page: FilingPage };

/** Reads the files that are not in order of company, and keeps what they say of covered companies on disk. */
async function collectFilings(context: FamilyContext) {
  const covered = new Set(context.companies.map(({ cik }) => cik));
  const listed = new Spill<Listed>(`${context.scratch}/listed`, covered);
  const owned = new Spill<SourcedOwnershipFiling>(`${context.scratch}/ownership`, covered);
  const reader = new SourceFileReader(context, 'a file of filings that cannot be read');
  const handler: ListingHandler = {
    row: (row) => listed.add(row.cik, { row }),
    page: (page) => {
      for (const cik of page.ciks) listed.add(cik, { page });
    },
  };
  let hasListings = false;
  let hasOwnership = false;
  for (const file of await filingFiles(context.from)) {
    if (isListingFile(file.name)) {
      const isRead = await reader.read(file, () => readListings(file, handler, context.skipped));
      hasListings ||= isRead;
    }
    if (isOwnershipFile(file.name)) {
      const take = (one: SourcedOwnershipFiling) => owned.add(one.filing.issuerCik, one);
      const isRead = await reader.read(file, () =>
        readOwnershipFile(file, (cik) => covered.has(cik), take, context.skipped, handler.row),
      );
      hasOwnership ||= isRead;
    }
  }
  return { listed, owned, hasListings, hasOwnership };
}

/** More than have ever filed; a power of two, so that key and company fit into the 53 bits of an exact integer. */
const MOST_COMPANIES = 2 ** 21;

/**
 * Finds the companies whose lists an accession number may be in. Takes eight bytes a filing: its key and, in the lower
 * digits, the company's place in order of cik.
 */
class AccessionIndex {
  readonly #packed: number[] = [];
  readonly #ciks: number[] = [];

  add(cik: number, accessions: Iterable<string>): void {
    const place = this.#ciks.push(cik) - 1;
    for (const accession of accessions) this.#packed.push(accessionKey(accession) * MOST_COMPANIES + place);
  }

  write(sink: FamilyContext['sink']): void {
    const sorted = Float64Array.from(this.#packed).sort();
    let rows: { number: number; cik: number }[] = [];
    for (const [index, packed] of sorted.entries()) {
      const number = Math.floor(packed / MOST_COMPANIES);
      const cik = this.#ciks[packed % MOST_COMPANIES];
      if (cik === undefined) throw new RangeError(`no company has the place ${packed % MOST_COMPANIES}`);
      if (packed !== sorted[index - 1]) rows.push({ number, cik });
      const next = sorted[index + 1];
      if (next !== undefined && Math.floor(next / MOST_COMPANIES) === number) continue;
      sink(FILING_PLACES).add(number, rows);
      rows = [];
    }
  }
}

/** Some thousands of times of the early 2000s are those of a conversion. */
const ODD_SHARE = 0.05;
/** EDGAR accepts filings from six to ten in New York; what is under way at ten still comes in. */
const OPENS = '06:00';
const CLOSES = '22:10';

/** Checks filings and insider trades before they are published. */
class FilingChecks {
  #rows = 0;
  #withTime = 0;
  #oddHours = 0;
  #insiderFilings = 0;
  #trades = 0;
  #undated = 0;

  /** Adds one company's rows. */
  add(rows: readonly FilingRow[], insiders: readonly JudgedFiling[]): void {
    this.#rows += rows.length;
    for (const { acceptedAt } of rows) {
      if (acceptedAt === null) continue;
      this.#withTime += 1;
      const time = acceptedAt.slice(11, 16);
      if (time < OPENS || time > CLOSES) this.#oddHours += 1;
    }
    this.#insiderFilings += insiders.length;
    for (const { filed, trades } of insiders) {
      this.#trades += trades.length;
      if (filed === null) this.#undated += 1;
    }
  }

  /** @param days how many filings the tables of days count */
  checks(days: number): Check[] {
    return [
      {
        name: 'filing days',
        passed: days <= this.#rows && (days > 0 || this.#rows === 0),
        detail: `${this.#rows} filings in the lists of companies, ${days} in those of days, where a filing of several companies stands once`,
      },
      {
        name: 'acceptance',
        passed: this.#oddHours <= this.#withTime * ODD_SHARE,
        detail: `${this.#oddHours} of ${this.#withTime} times of acceptance are outside the hours of the filing system`,
      },
      {
        name: 'insider trades',
        passed: this.#trades >= this.#insiderFilings,
        detail: `${this.#trades} purchases and sales in ${this.#insiderFilings} filings; the day of filing of ${this.#undated} is not known`,
      },
    ];
  }
}
