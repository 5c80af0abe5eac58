/** `/v1/securities`: active securities by ticker prefix, entity name, CIK, former tickers and names, and brands. */
import { normalizeTicker, parseCik, splitNameIntoWords, toCikTicker } from '../../../contract/identifiers.ts';
import type { SecuritySearchHit } from '../../../contract/resources/securities.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { COMPANIES } from '../../../store/schema/companies.ts';
import { compareByTicker, type Listing } from '../../../store/schema/listings.ts';
import type { Handler } from '../../handler.ts';
import {
  findListingsByName,
  listingsOfCompanies,
  listingsOfCompany,
  listingsOfFormerTicker,
  listingsOfTicker,
} from '../listings.ts';
import { findBrandsByWords } from './brands.ts';
import { findListingsWithSimilarNames } from './similar-names.ts';

/**
 * Returns securities in this order: the exact ticker; tickers that begin with the query; names in which each word of
 * the query begins a word; matches by a former ticker or name; matches by a segment or product in the reports. Among
 * matches by name, primary securities come first. Companies without a current ticker come last. If nothing matches,
 * returns the most similar names.
 */
export const search: Handler<'search'> = async ({ release, parameters }) => {
  const { query, limit } = parameters;
  const ticker = normalizeTicker(query);
  const cik = parseCik(query.trim().replace(/^CIK/i, ''));
  const cikMatches = cik === null ? [] : await listingsOfCompany(release, cik);
  const tickerMatches = ticker === '' ? [] : await listingsOfTicker(release, ticker, { isPrefix: true });
  const activeListings = new Map<string, Listing>();
  const unlistedByCik = new Map<number, Listing>();
  const brandBySecurity = new Map<string, string>();
  const addListings = (listings: readonly Listing[], compare: (a: Listing, b: Listing) => number = compareByTicker) => {
    for (const listing of listings.toSorted(compare)) {
      const key = securityKey(listing);
      if (isUnlisted(listing)) unlistedByCik.set(listing.cik, listing);
      else if (listing.isActive && !activeListings.has(key)) activeListings.set(key, listing);
    }
  };
  addListings([...cikMatches, ...tickerMatches.filter(({ tickerNormalized }) => tickerNormalized === ticker)]);
  addListings(
    tickerMatches.filter(({ cik: listingCik, ticker: listingTicker }) => listingTicker !== toCikTicker(listingCik)),
  );
  if (activeListings.size < limit) {
    const words = splitNameIntoWords(query);
    const [{ current, former }, brandByCik] = await Promise.all([
      findListingsByName(release, words),
      findBrandsByWords(release, words),
    ]);
    addListings(current, comparePrimaryFirst);
    if (activeListings.size < limit)
      addListings([...(await listingsOfFormerTicker(release, ticker)), ...former], comparePrimaryFirst);
    if (activeListings.size < limit && brandByCik.size > 0) {
      const listingsByCik = await listingsOfCompanies(release, brandByCik.keys());
      const newListings = [...listingsByCik.values()]
        .flat()
        .filter((listing) => !activeListings.has(securityKey(listing)) && !unlistedByCik.has(listing.cik));
      for (const listing of newListings) brandBySecurity.set(securityKey(listing), brandByCik.get(listing.cik) ?? '');
      addListings(newListings, comparePrimaryFirst);
    }
  }
  const isApproximate = activeListings.size === 0 && unlistedByCik.size === 0;
  if (isApproximate)
    addListings(await findListingsWithSimilarNames(release, splitNameIntoWords(query)), comparePrimaryFirst);
  const shownListings = [...activeListings.values(), ...unlistedByCik.values()].slice(0, limit);
  const lastReportFieldOf = await readLastReports(release, shownListings);
  const data = shownListings.map((listing) => {
    const brand = brandBySecurity.get(securityKey(listing));
    return { ...hitOf(listing), ...lastReportFieldOf(listing), ...(brand === undefined ? {} : { brand }) };
  });
  return isApproximate && data.length > 0 ? { data, meta: { approximate: isApproximate } } : { data };
};

const securityKey = ({ tickerNormalized, cik }: Listing): string => `${tickerNormalized} ${cik}`;

const comparePrimaryFirst = (a: Listing, b: Listing): number =>
  Number(b.isPrimary) - Number(a.isPrimary) || compareByTicker(a, b);

/** Whether the listing represents a company without a current ticker. */
const isUnlisted = ({ isActive, isPrimary }: Listing): boolean => !isActive && isPrimary;

/**
 * Returns a function from a listing to the date of its company's last report, as a field; empty unless the company
 * lacks a current ticker. The date shows users that the company may be inactive.
 */
async function readLastReports(release: ReleaseReader, listings: readonly Listing[]) {
  const ciks = listings.filter(isUnlisted).map(({ cik }) => cik);
  const companies = ciks.length === 0 ? [] : await release.rowsOfEach(COMPANIES, ciks);
  const lastReportByCik = new Map(companies.map(({ cik, lastReport }) => [cik, lastReport]));
  return ({ cik, isActive }: Listing): Pick<SecuritySearchHit, 'last_report'> =>
    isActive ? {} : { last_report: lastReportByCik.get(cik) ?? null };
}

function hitOf(listing: Listing): SecuritySearchHit {
  return {
    ticker: listing.ticker,
    ticker_normalized: listing.tickerNormalized,
    exchange: listing.exchange,
    cik: listing.cik,
    entity_name: listing.entityName,
    security_coverage_state: listing.coverageState,
    company_coverage_state: listing.companyCoverageState,
  };
}
