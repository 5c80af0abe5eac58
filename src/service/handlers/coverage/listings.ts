/**
 * Finds securities with the names of their companies, by ticker, company or name. Reads all securities only if a
 * release lacks the tables of listings, or if the caller needs all listings.
 */
import { splitNameIntoWords } from '../../../contract/identifiers.ts';
import type { FormerTicker } from '../../../ownership/issuers/cusip-map.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { ReleaseDescription, ReleaseReader } from '../../../store/reader.ts';
import { FORMER_NAMES, FORMER_TICKERS } from '../../../store/schema/former-names.ts';
import {
  computePrefixKey,
  joinListings,
  LISTINGS_BY_COMPANY,
  LISTINGS_BY_NAME,
  LISTINGS_BY_TICKER,
  type Listing,
} from '../../../store/schema/listings.ts';

/** Returns listings whose normalized ticker equals the given ticker; with `isPrefix`, begins with the given ticker. */
export async function findListingsOfTicker(
  release: ReleaseReader,
  ticker: string,
  { isPrefix = false }: { readonly isPrefix?: boolean } = {},
): Promise<readonly Listing[]> {
  const rows = !release.includes(LISTINGS_BY_TICKER)
    ? await readAllListings(release)
    : await release.rowsBetween(
        LISTINGS_BY_TICKER,
        computePrefixKey(ticker),
        computePrefixKey(ticker, { isLast: isPrefix }),
      );
  return rows.filter(({ tickerNormalized }) =>
    isPrefix ? tickerNormalized.startsWith(ticker) : tickerNormalized === ticker,
  );
}

export async function findListingsOfCompany(release: ReleaseReader, cik: number): Promise<readonly Listing[]> {
  return (await findListingsOfCompanies(release, [cik])).get(cik) ?? [];
}

/** Returns the listings of these companies, by CIK. */
export async function findListingsOfCompanies(
  release: ReleaseReader,
  ciks: Iterable<number>,
): Promise<ReadonlyMap<number, readonly Listing[]>> {
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
export async function findListingsOfFormerTicker(release: ReleaseReader, ticker: string): Promise<readonly Listing[]> {
  const listings: Listing[] = [];
  for (const { cik, tickerNormalized } of await readFormerTickers(release, ticker)) {
    const companyListings = await findListingsOfCompany(release, cik);
    listings.push(...companyListings.filter((listing) => listing.tickerNormalized === tickerNormalized));
  }
  return listings;
}

interface ListingsFoundByName {
  readonly current: readonly Listing[];
  readonly former: readonly Listing[];
}

/**
 * Finds listings by a current or former name of their company: each search word must begin a word of the name. A
 * security may occur twice.
 */
export async function findListingsByName(
  release: ReleaseReader,
  words: readonly string[],
): Promise<ListingsFoundByName> {
  // The longest word usually occurs in the fewest names.
  const [longestWord, ...otherWords] = words.toSorted((a, b) => b.length - a.length);
  if (longestWord === undefined) return { current: [], former: [] };
  if (!release.includes(LISTINGS_BY_NAME)) return searchAllListings(release, words);
  const [firstKey, lastKey] = [computePrefixKey(longestWord), computePrefixKey(longestWord, { isLast: true })];
  const rows = await release.rowsBetween(LISTINGS_BY_NAME, firstKey, lastKey);
  const matchingRows = rows.filter(
    ({ word, formerName, entityName }) =>
      word.startsWith(longestWord) && (otherWords.length === 0 || nameHasWords(formerName ?? entityName, otherWords)),
  );
  return {
    current: matchingRows.filter(({ formerName }) => formerName === null),
    former: matchingRows.filter(({ formerName }) => formerName !== null),
  };
}

async function searchAllListings(release: ReleaseReader, words: readonly string[]): Promise<ListingsFoundByName> {
  const listings = await readAllListings(release);
  const formerNames = await release.allOf(FORMER_NAMES);
  const ciksWithMatchingFormerName = new Set(
    formerNames.filter(({ name }) => nameHasWords(name, words)).map(({ cik }) => cik),
  );
  return {
    current: listings.filter(({ entityName }) => nameHasWords(entityName, words)),
    former: listings.filter(({ cik }) => ciksWithMatchingFormerName.has(cik)),
  };
}

/** Whether each of the words begins a word of the name. */
export function nameHasWords(name: string, words: readonly string[]): boolean {
  const wordsOfName = splitNameIntoWords(name);
  return words.every((word) => wordsOfName.some((candidate) => candidate.startsWith(word)));
}

/**
 * Listings by release, joined once per release, for releases that lack the tables of listings because an older version
 * of fin built them.
 */
const listingsByRelease = new WeakMap<ReleaseDescription, readonly Listing[]>();

export async function readAllListings(release: ReleaseReader): Promise<readonly Listing[]> {
  if (release.includes(LISTINGS_BY_COMPANY)) return release.allOf(LISTINGS_BY_COMPANY);
  const cachedListings = listingsByRelease.get(release.manifest);
  if (cachedListings !== undefined) return cachedListings;
  const listings = joinListings(await release.companies(), await release.securities());
  listingsByRelease.set(release.manifest, listings);
  return listings;
}
