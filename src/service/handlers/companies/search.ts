/** `/v1/securities`: active securities by ticker prefix or entity name, by CIK, and by what they went by before. */
import { nameWords, normalizeTicker, parseCik } from '../../../contract/identifiers.ts';
import type { SecuritySearchHit } from '../../../contract/resources/securities.ts';
import { byTicker, type Listing } from '../../../store/schema/listings.ts';
import type { Handler } from '../../handler.ts';
import { listingsNamed, listingsOfCompany, listingsOfFormerTicker, listingsOfTicker } from '../listings.ts';

/**
 * The exact ticker first, then tickers that begin with the query, then names in which each of its words begins a word, then
 * those found by a former ticker or name alone.
 */
export const search: Handler<'search'> = async ({ release, parameters }) => {
  const { query, limit } = parameters;
  const ticker = normalizeTicker(query);
  const cik = parseCik(query.trim().replace(/^CIK/i, ''));
  const company = cik === null ? [] : await listingsOfCompany(release, cik);
  const begun = ticker === '' ? [] : await listingsOfTicker(release, ticker, { orBegins: true });
  const found = new Map<string, Listing>();
  const add = (listings: readonly Listing[]) => {
    const active = listings.filter(({ isActive }) => isActive).sort(byTicker);
    for (const listing of active) {
      const key = `${listing.tickerNormalized} ${listing.cik}`;
      if (!found.has(key)) found.set(key, listing);
    }
  };
  add([...company, ...begun.filter(({ tickerNormalized }) => tickerNormalized === ticker)]);
  add(begun);
  if (found.size < limit) {
    const { now, formerly } = await listingsNamed(release, nameWords(query));
    add(now);
    if (found.size < limit) add([...(await listingsOfFormerTicker(release, ticker)), ...formerly]);
  }
  return { data: [...found.values()].slice(0, limit).map(hitOf) };
};

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
