/** Finds a security and its company by ticker. */
import { normalizeTicker, parseCikTicker } from '../../../contract/identifiers.ts';
import { didYouMean } from '../../../contract/nearest.ts';
import { quote } from '../../../contract/text/quote.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Company, Security } from '../../../store/schema/companies.ts';
import { ProblemError } from '../../request/problem-error.ts';
import { describeFormerTickerOrName } from './former-names.ts';
import { findListingsOfCompany, findListingsOfTicker } from './listings.ts';

export interface CoveredSecurity {
  readonly security: Security;
  readonly company: Pick<Company, 'cik' | 'entityName' | 'partialFacts'>;
}

/** Returns the ticker of a quotation such as NASDAQ:AAPL, AAPL.US or AAPL US Equity; the text unchanged for others. */
const removeExchange = (ticker: string): string => ticker.replace(/^[A-Z]+:/, '').replace(/-US(?:-EQUITY)?$/, '');

/**
 * Returns the security that has the ticker now; if no security has it now, an inactive security with the ticker. For a
 * text such as `CIK320193`, returns the company's primary security.
 * @throws {ProblemError} 404 if no covered company has the ticker
 */
export async function findCoveredSecurity(release: ReleaseReader, ticker: string): Promise<CoveredSecurity> {
  const cik = parseCikTicker(ticker);
  const companyListings = cik === null ? [] : await findListingsOfCompany(release, cik);
  const primary = companyListings.find(({ isPrimary }) => isPrimary) ?? companyListings[0];
  if (primary !== undefined) return { security: primary, company: primary };
  const normalizedTicker = normalizeTicker(ticker);
  const listings = await findListingsOfTicker(release, normalizedTicker);
  const listing = listings.find(({ isActive }) => isActive) ?? listings[0];
  if (listing !== undefined) return { security: listing, company: listing };
  const former = await describeFormerTickerOrName(release, ticker);
  // Similar CIKs belong to unrelated companies, so none is suggested.
  if (cik !== null) throw new ProblemError('not_found', `No company in this release has the CIK ${cik}.${former}`);
  const suggest = async () => {
    const tickers = (await release.securities()).map((security) => security.ticker);
    const quoted = removeExchange(normalizedTicker);
    return tickers.includes(quoted) ? ` Did you mean ${quoted}?` : didYouMean(normalizedTicker, tickers);
  };
  throw new ProblemError(
    'not_found',
    `No company in this release has the ticker ${quote(ticker)}.${former || (await suggest())}`,
  );
}
