/** `/v1/securities`: securities by ticker prefix, entity name, CIK, former tickers and names, and brands. */

import { normalizeTicker, parseCik, splitNameIntoWords, toCikTicker } from '../../../contract/identifiers.ts';
import { computeEditDistance } from '../../../contract/nearest.ts';
import type { SecuritySearchHit } from '../../../contract/resources/securities.ts';
import { getOrInsert, sumNumbers, toWordSet } from '../../../platform/collections.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { COMPANIES, FORMER_NAMES } from '../../../store/schema/companies.ts';
import type { Listing } from '../../../store/schema/listings.ts';
import { BRANDS, compareByTicker, MIN_BRAND_LENGTH, makePrefixKey } from '../../../store/schema/listings.ts';
import type { Handler } from '../../request/handler.ts';
import {
  findByCompanies,
  findByCompany,
  findByFormerTicker,
  findByName,
  findByTicker,
  nameHasWords,
  readAllListings,
} from '../coverage/find-listings.ts';

/**
 * Returns securities in this order: the CIK or exact ticker, ticker prefixes, names in which each word of the query
 * begins a word, former tickers and names, segments and products. Primary securities come first among matches by name;
 * companies without a current ticker come last. If nothing matches, returns the most similar names, marked as
 * approximate.
 */
export const handleSearch: Handler<'search'> = async ({ release, parameters: { query, limit } }) => {
  const ticker = normalizeTicker(query);
  const words = splitNameIntoWords(query);
  const cik = parseCik(query.trim().replace(/^CIK/i, ''));
  const cikMatches = cik === null ? [] : await findByCompany(release, cik);
  const tickerMatches = ticker === '' ? [] : await findByTicker(release, ticker, { isPrefix: true });
  /** Securities that match, in the order in which they are shown, without duplicates. */
  const active = new Map<string, Listing>();
  /** Listings of companies without a current ticker, by CIK. */
  const unlisted = new Map<number, Listing>();
  const brandBySecurity = new Map<string, string>();
  const add = (listings: readonly Listing[], compare = comparePrimaryFirst) => {
    for (const listing of listings.toSorted(compare)) {
      const key = makeSecurityKey(listing);
      if (hasNoCurrentTicker(listing)) unlisted.set(listing.cik, listing);
      else if (listing.isActive && !active.has(key)) active.set(key, listing);
    }
  };
  const exact = tickerMatches.filter(({ tickerNormalized }) => tickerNormalized === ticker);
  const listed = tickerMatches.filter((listing) => listing.ticker !== toCikTicker(listing.cik));
  add([...cikMatches, ...exact], compareByTicker);
  add(listed, compareByTicker);
  if (active.size < limit) {
    const [{ current, former }, brands] = await Promise.all([findByName(release, words), findBrands(release, words)]);
    add(current);
    if (active.size < limit) add([...(await findByFormerTicker(release, ticker)), ...former]);
    if (active.size < limit && brands.size > 0) {
      const listings = [...(await findByCompanies(release, brands.keys())).values()].flat();
      const rows = listings.filter((listing) => !active.has(makeSecurityKey(listing)) && !unlisted.has(listing.cik));
      for (const listing of rows) brandBySecurity.set(makeSecurityKey(listing), brands.get(listing.cik) ?? '');
      add(rows);
    }
  }
  const isApproximate = active.size === 0 && unlisted.size === 0;
  if (isApproximate) add(await findBySimilarName(release, words));
  const hits = [...active.values(), ...unlisted.values()].slice(0, limit);
  const lastReportOf = await readLastReportFinder(release, hits);
  const data = hits.map((listing) => {
    const brand = brandBySecurity.get(makeSecurityKey(listing));
    return {
      ...toSearchHit(listing),
      ...lastReportOf(listing),
      ...(brand === undefined ? {} : { brand }),
      ...(isApproximate ? { approximate: true } : {}),
    };
  });
  return { data };
};

const makeSecurityKey = ({ tickerNormalized, cik }: Listing): string => `${tickerNormalized} ${cik}`;

const comparePrimaryFirst = (a: Listing, b: Listing): number =>
  Number(b.isPrimary) - Number(a.isPrimary) || compareByTicker(a, b);

/** Whether the listing represents a company without a current ticker. */
const hasNoCurrentTicker = ({ isActive, isPrimary }: Listing): boolean => !isActive && isPrimary;

/**
 * Returns a function from a listing to the field `last_report`, the date of its company's last report. The function
 * returns no field if the company has a current ticker.
 */
async function readLastReportFinder(release: ReleaseReader, listings: readonly Listing[]) {
  const ciks = listings.filter(hasNoCurrentTicker).map(({ cik }) => cik);
  const companies = ciks.length === 0 ? [] : await release.rowsOfEach(COMPANIES, ciks);
  const reports = new Map(companies.map(({ cik, lastReport }) => [cik, lastReport]));
  return (listing: Listing): Pick<SecuritySearchHit, 'last_report'> =>
    hasNoCurrentTicker(listing) ? { last_report: reports.get(listing.cik) ?? null } : {};
}

const toSearchHit = (listing: Listing): SecuritySearchHit => ({
  ticker: listing.ticker,
  ticker_normalized: listing.tickerNormalized,
  exchange: listing.exchange,
  cik: listing.cik,
  entity_name: listing.entityName,
  security_coverage_state: listing.coverageState,
  company_coverage_state: listing.companyCoverageState,
});

/**
 * Maximum number of search words to look up. One word is not enough, because the table has no brands for a common word.
 */
const MAX_LOOKED_UP_WORDS = 3;

/**
 * Returns, by CIK, a segment or product that matches the search: each search word must begin a word of its name, and
 * one of these words of the name must be rare among companies.
 */
async function findBrands(release: ReleaseReader, words: readonly string[]): Promise<ReadonlyMap<number, string>> {
  const brands = new Map<number, string>();
  if (!release.includes(BRANDS)) return brands;
  const longest = [...new Set(words)]
    .filter(({ length }) => length >= MIN_BRAND_LENGTH)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_LOOKED_UP_WORDS);
  const byWord = await Promise.all(
    longest.map((text) => release.rowsBetween(BRANDS, makePrefixKey(text), makePrefixKey(text, { isLast: true }))),
  );
  for (const [index, word] of longest.entries()) {
    const rows = byWord[index] ?? [];
    // A search word that is itself common must not match the beginning of a brand: "other" does not match
    // OTHERNEUROSCIENCE.
    if (rows.some((row) => row.brand === null && row.word === word)) continue;
    const otherWords = words.filter((other) => other !== word);
    for (const { word: start, brand, cik } of rows) {
      if (brand !== null && !brands.has(cik) && start.startsWith(word) && nameHasWords(brand, otherWords))
        brands.set(cik, brand);
    }
  }
  return brands;
}

/**
 * Minimum lengths of a search word, because shorter words resemble too many words: `oneEdit` permits one edit to a word
 * of a name, `unfinished` permits a match with the beginning of a word, `twoEdits` permits two edits.
 */
const MIN_WORD_LENGTHS = { oneEdit: 4, unfinished: 6, twoEdits: 8 };

/**
 * Words that users type, but that many names at the SEC lack or abbreviate: NVIDIA CORP, BOEING CO, HOME DEPOT, INC.
 * The word "and" is "&" in names, which `splitNameIntoWords` drops.
 */
const IGNORED_WORDS = toWordSet('and the company co corporation corp incorporated inc limited ltd');

/**
 * Returns the listings of the companies whose current or former names are most similar to the words. Similar words have
 * the same first letter and differ by one edit, or by up to two edits if long. Words may be joined or split.
 */
async function findBySimilarName(release: ReleaseReader, words: readonly string[]): Promise<readonly Listing[]> {
  const all = await readAllListings(release);
  const namesByCik = new Map<number, Set<string>>();
  for (const { cik, entityName } of all) getOrInsert(namesByCik, cik, () => new Set()).add(entityName);
  for (const { cik, name } of await release.allOf(FORMER_NAMES)) namesByCik.get(cik)?.add(name);
  let fewest = Number.POSITIVE_INFINITY;
  const editCountByCik = new Map<number, number>();
  for (const [cik, names] of namesByCik) {
    const edits = Math.min(...[...names].map((name) => countEdits(words, splitNameIntoWords(name))));
    editCountByCik.set(cik, edits);
    fewest = Math.min(fewest, edits);
  }
  return fewest === Number.POSITIVE_INFINITY ? [] : all.filter(({ cik }) => editCountByCik.get(cik) === fewest);
}

/**
 * Returns the fewest edits that turn the search words, separate or joined, into words of the name. Infinity if the name
 * is not similar.
 */
function countEdits(words: readonly string[], nameWords: readonly string[]): number {
  const terms = words.filter((word) => !IGNORED_WORDS.has(word));
  const query = terms.join('');
  const separate = sumNumbers(terms.map((word) => Math.min(...nameWords.map((other) => countWordEdits(word, other)))));
  const joined = Math.min(...nameWords.map((_, start) => countJoinedEdits(query, nameWords.slice(start))));
  return terms.length === 0 ? Number.POSITIVE_INFINITY : Math.min(separate, joined);
}

/**
 * Returns the number of edits between the joined search words and the first word of the name, such as "jp morgan" and
 * JPMORGAN. 0 if the joined name begins with the search words, such as "cocacola" and COCA COLA.
 */
function countJoinedEdits(query: string, nameWords: readonly string[]): number {
  const [first = ''] = nameWords;
  if (query.length >= MIN_WORD_LENGTHS.oneEdit && nameWords.join('').startsWith(query)) return 0;
  return countWordEdits(query, first);
}

function countWordEdits(word: string, nameWord: string): number {
  if (nameWord.startsWith(word)) return 0;
  if (word[0] !== nameWord[0] || word.length < MIN_WORD_LENGTHS.oneEdit) return Number.POSITIVE_INFINITY;
  const max = word.length < MIN_WORD_LENGTHS.twoEdits ? 1 : 2;
  const nameWordStart = word.length < MIN_WORD_LENGTHS.unfinished ? nameWord : nameWord.slice(0, word.length);
  const edits = Math.min(computeEditDistance(word, nameWord, max), computeEditDistance(word, nameWordStart, max));
  return edits <= max ? edits : Number.POSITIVE_INFINITY;
}
