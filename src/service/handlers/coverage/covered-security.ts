/** Finds a security and its company by ticker. */
import { normalizeTicker, parseCikTicker, splitNameIntoWords } from '../../../contract/identifiers.ts';
import { didYouMean } from '../../../contract/nearest.ts';
import { quote } from '../../../contract/text/quote.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { type Company, FORMER_NAMES, type Security } from '../../../store/schema/companies.ts';
import { ProblemError } from '../../request/handler.ts';
import type { CompanyName } from './find-listings.ts';
import { findByCompany, findByTicker, nameHasWords, readFormerTickers, readNameFinder } from './find-listings.ts';

export interface CoveredSecurity {
  readonly security: Security;
  readonly company: Pick<Company, 'cik' | 'entityName' | 'partialFacts'>;
}

/** Returns the name of a security's company, with the ticker and exchange of the security. */
export const toCompanyName = ({ security, company }: CoveredSecurity): CompanyName => ({
  entityName: company.entityName,
  ticker: security.ticker,
  exchange: security.exchange,
});

/** Returns the ticker in a quotation such as NASDAQ:AAPL, AAPL.US or AAPL US Equity; any other text unchanged. */
const removeExchange = (ticker: string): string => ticker.replace(/^[A-Z]+:/, '').replace(/-US(?:-EQUITY)?$/, '');

/**
 * Returns the security that has the ticker now; if no security has it now, an inactive security with the ticker. For a
 * text such as `CIK320193`, returns the company's primary security.
 * @throws {ProblemError} 404 if no covered company has the ticker
 */
export async function findSecurity(release: ReleaseReader, ticker: string): Promise<CoveredSecurity> {
  const cik = parseCikTicker(ticker);
  const companyListings = cik === null ? [] : await findByCompany(release, cik);
  const primary = companyListings.find(({ isPrimary }) => isPrimary) ?? companyListings[0];
  if (primary !== undefined) return { security: primary, company: primary };
  const normalizedTicker = normalizeTicker(ticker);
  const listings = await findByTicker(release, normalizedTicker);
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
  const advice = former || (await suggest());
  throw new ProblemError('not_found', `No company in this release has the ticker ${quote(ticker)}.${advice}`);
}

const MIN_WORD_LENGTH = 3;

/**
 * Returns a sentence, with a leading space, about the company that had this ticker, or about the only company that had
 * this name; empty if there is no such company, or if it has no current ticker.
 */
async function describeFormerTickerOrName(release: ReleaseReader, text: string): Promise<string> {
  const [former] = await readFormerTickers(release, text);
  if (former !== undefined) {
    const { cik, symbol, tickerNormalized, lastDay } = former;
    const listings = await findByCompany(release, cik);
    const listing = listings.find((row) => row.tickerNormalized === tickerNormalized);
    if (listing === undefined) return '';
    return ` ${quote(symbol)} was the ticker of ${listing.entityName} until at least ${lastDay}; the ticker is now ${listing.ticker}.`;
  }
  const words = splitNameIntoWords(text);
  const names = new Map<number, string>();
  // Searches only if a word has at least MIN_WORD_LENGTH letters, because short words match too many names.
  const searches = words.some((word) => word.length >= MIN_WORD_LENGTH);
  for (const { cik, name } of searches ? await release.allOf(FORMER_NAMES) : []) {
    if (!names.has(cik) && nameHasWords(name, words)) names.set(cik, name);
  }
  const [match, ...others] = names;
  if (match === undefined || others.length > 0) return '';
  const [cik, name] = match;
  const { entityName, ticker } = (await readNameFinder(release, [{ cik }]))(cik);
  return ticker === null ? '' : ` ${name} is now ${entityName}, whose ticker is ${ticker}.`;
}
