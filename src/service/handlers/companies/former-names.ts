/** Finds former names of companies and tickers, to explain a ticker that no longer exists. */
import { nameWords } from '../../../contract/identifiers.ts';
import { quote } from '../../../contract/text/quote.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { FORMER_NAMES } from '../../../store/schema/former-names.ts';
import { companyNames } from '../company-names.ts';
import { formerTickers, isNamed, listingsOfCompany } from '../listings.ts';

const MIN_NAME_LENGTH = 3;

/**
 * Returns a sentence on the company that had this ticker, or is the only one that had this name, with a leading
 * space; empty if there is none.
 */
export async function formerly(release: ReleaseReader, text: string): Promise<string> {
  const [former] = await formerTickers(release, text);
  if (former !== undefined) {
    const { cik, symbol, tickerNormalized, lastDay } = former;
    const ownListings = await listingsOfCompany(release, cik);
    const listing = ownListings.find((one) => one.tickerNormalized === tickerNormalized);
    if (listing === undefined) return '';
    return ` ${quote(symbol)} was the ticker of ${listing.entityName} (last seen ${lastDay}), which is now ${listing.ticker}.`;
  }
  const words = nameWords(text);
  const names = new Map<number, string>();
  // Shorter words begin too many names.
  const isName = words.some((word) => word.length >= MIN_NAME_LENGTH);
  for (const { cik, name } of isName ? await release.allOf(FORMER_NAMES) : []) {
    if (!names.has(cik) && isNamed(name, words)) names.set(cik, name);
  }
  const [onlyName, ...otherNames] = names;
  if (onlyName === undefined || otherNames.length > 0) return '';
  const [cik, name] = onlyName;
  const { entityName, ticker } = (await companyNames(release, [cik]))(cik);
  return ticker === null ? '' : ` ${name} is now ${entityName}, whose ticker is ${ticker}.`;
}
