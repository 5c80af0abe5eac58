/** Finds former names and former tickers of companies, to explain why a ticker does not exist. */
import { splitNameIntoWords } from '../../../contract/identifiers.ts';
import { quote } from '../../../contract/text/quote.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { FORMER_NAMES } from '../../../store/schema/former-names.ts';
import { readCompanyNameFinder } from './company-names.ts';
import { findListingsOfCompany, nameHasWords, readFormerTickers } from './listings.ts';

const MIN_WORD_LENGTH = 3;

/**
 * Returns a sentence, with a leading space, about the company that had this ticker, or about the only company that had
 * this name; empty if there is no such company, or if it has no current ticker.
 */
export async function describeFormerTickerOrName(release: ReleaseReader, text: string): Promise<string> {
  const [former] = await readFormerTickers(release, text);
  if (former !== undefined) {
    const { cik, symbol, tickerNormalized, lastDay } = former;
    const listings = await findListingsOfCompany(release, cik);
    const listing = listings.find((row) => row.tickerNormalized === tickerNormalized);
    if (listing === undefined) return '';
    return ` ${quote(symbol)} was the ticker of ${listing.entityName} until at least ${lastDay}; the ticker is now ${listing.ticker}.`;
  }
  const words = splitNameIntoWords(text);
  const names = new Map<number, string>();
  // Does not search if all words are shorter than MIN_WORD_LENGTH, because too many names would match.
  const searches = words.some((word) => word.length >= MIN_WORD_LENGTH);
  for (const { cik, name } of searches ? await release.allOf(FORMER_NAMES) : []) {
    if (!names.has(cik) && nameHasWords(name, words)) names.set(cik, name);
  }
  const [match, ...others] = names;
  if (match === undefined || others.length > 0) return '';
  const [cik, name] = match;
  const { entityName, ticker } = (await readCompanyNameFinder(release, [cik]))(cik);
  return ticker === null ? '' : ` ${name} is now ${entityName}, whose ticker is ${ticker}.`;
}
