/**
 * Finds securities with the names of their companies, by ticker, company or name. Reads all securities only if a
 * release lacks the tables of listings, or if the caller needs all listings.
 */
import { splitNameIntoWords } from '../../../contract/identifiers.ts';
import type { FormerTicker } from '../../../ownership/issuers/cusip-map.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { FORMER_NAMES, FORMER_TICKERS } from '../../../store/schema/companies.ts';
import {
  joinListings,
  LISTINGS_BY_COMPANY,
  LISTINGS_BY_NAME,
  LISTINGS_BY_TICKER,
  type Listing,
  makePrefixKey,
} from '../../../store/schema/listings.ts';
import { keepPerRelease } from '../../request/handler.ts';

/**
 * Returns the listings with this normalized ticker, or with a normalized ticker that begins with it if `isPrefix` is
 * true.
 */
export async function findByTicker(release: ReleaseReader, normalizedTicker: string, { isPrefix = false } = {}) {
  const lastKey = makePrefixKey(normalizedTicker, { isLast: isPrefix });
  const rows = release.includes(LISTINGS_BY_TICKER)
    ? await release.rowsBetween(LISTINGS_BY_TICKER, makePrefixKey(normalizedTicker), lastKey)
    : await readAllListings(release);
  return rows.filter(({ tickerNormalized: own }) =>
    isPrefix ? own.startsWith(normalizedTicker) : own === normalizedTicker,
  );
}

export const findByCompany = async (release: ReleaseReader, cik: number): Promise<readonly Listing[]> =>
  (await findByCompanies(release, [cik])).get(cik) ?? [];

/** Returns the listings of these companies, by CIK. */
export async function findByCompanies(release: ReleaseReader, ciks: Iterable<number>) {
  const uniqueCiks = new Set(ciks);
  const listings = release.includes(LISTINGS_BY_COMPANY)
    ? await release.rowsOfEach(LISTINGS_BY_COMPANY, uniqueCiks)
    : (await readAllListings(release)).filter(({ cik }) => uniqueCiks.has(cik));
  return groupBy(listings, ({ cik }) => cik);
}

/**
 * Returns the former tickers equal to a ticker. BRK.B equals BRKB, because fails-to-deliver files omit class
 * separators.
 */
export async function readFormerTickers(release: ReleaseReader, ticker: string): Promise<readonly FormerTicker[]> {
  const symbol = ticker.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return (await release.allOf(FORMER_TICKERS)).filter((former) => former.symbol === symbol);
}

/** Returns the securities that once had the ticker. */
export async function findByFormerTicker(release: ReleaseReader, ticker: string): Promise<readonly Listing[]> {
  const listings: Listing[] = [];
  for (const { cik, tickerNormalized } of await readFormerTickers(release, ticker)) {
    const companyListings = await findByCompany(release, cik);
    listings.push(...companyListings.filter((listing) => listing.tickerNormalized === tickerNormalized));
  }
  return listings;
}

/**
 * Finds listings by a current or former name of their company: each search word must begin a word of the name. A
 * security may occur twice.
 */
export async function findByName(release: ReleaseReader, words: readonly string[]) {
  // The longest word usually occurs in the fewest names.
  const [longest, ...otherWords] = words.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return { current: [], former: [] };
  if (!release.includes(LISTINGS_BY_NAME)) return searchAllListings(release, words);
  const lastKey = makePrefixKey(longest, { isLast: true });
  const rows = await release.rowsBetween(LISTINGS_BY_NAME, makePrefixKey(longest), lastKey);
  const matches = rows.filter(
    ({ word, formerName, entityName }) =>
      word.startsWith(longest) && (otherWords.length === 0 || nameHasWords(formerName ?? entityName, otherWords)),
  );
  return {
    current: matches.filter(({ formerName }) => formerName === null),
    former: matches.filter(({ formerName }) => formerName !== null),
  };
}

async function searchAllListings(release: ReleaseReader, words: readonly string[]) {
  const listings = await readAllListings(release);
  const names = await release.allOf(FORMER_NAMES);
  const former = new Set(names.filter(({ name }) => nameHasWords(name, words)).map(({ cik }) => cik));
  return {
    current: listings.filter(({ entityName }) => nameHasWords(entityName, words)),
    former: listings.filter(({ cik }) => former.has(cik)),
  };
}

/** Whether each of the words begins a word of the name. */
export function nameHasWords(name: string, words: readonly string[]): boolean {
  const wordsOfName = splitNameIntoWords(name);
  return words.every((word) => wordsOfName.some((row) => row.startsWith(word)));
}

export const readAllListings = async (release: ReleaseReader): Promise<readonly Listing[]> =>
  release.includes(LISTINGS_BY_COMPANY) ? release.allOf(LISTINGS_BY_COMPANY) : joinAllListings(release);

/** Makes the listings of releases that lack their tables because an older version of fin built them. */
const joinAllListings = keepPerRelease(async (release) =>
  joinListings(await release.companies(), await release.securities()),
);

/** The name and ticker of a covered company, for responses with many companies. */
export interface CompanyName {
  readonly entityName: string;
  readonly ticker: string | null;
  readonly exchange: string | null;
}

export type CompanyNameFinder = (cik: number) => CompanyName;

/**
 * Returns a function from the CIK of a row to the company's name, with the ticker and exchange of its primary security.
 * A company outside the release is named `CIK …`.
 */
export async function readNameFinder(release: ReleaseReader, rows: readonly { readonly cik: number }[]) {
  const names = new Map<number, CompanyName>();
  const uniqueCiks = new Set(rows.map(({ cik }) => cik));
  const byCik = await findByCompanies(release, uniqueCiks);
  for (const cik of uniqueCiks) {
    const list = byCik.get(cik) ?? [];
    names.set(cik, list.find(({ isPrimary }) => isPrimary) ?? list[0] ?? (await readUnlistedName(release, cik)));
  }
  return (cik: number) => {
    const name = names.get(cik);
    if (name === undefined) throw new RangeError(`the name of CIK ${cik} was not read`);
    return name;
  };
}

async function readUnlistedName(release: ReleaseReader, cik: number): Promise<CompanyName> {
  const company = await release.company(cik);
  return { entityName: company?.entityName ?? `CIK ${cik}`, ticker: null, exchange: null };
}
