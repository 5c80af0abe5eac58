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
  const [formerTicker] = await readFormerTickers(release, text);
  if (formerTicker !== undefined) {
    const { cik, symbol, tickerNormalized, lastDay } = formerTicker;
    const listings = await findListingsOfCompany(release, cik);
    const listing = listings.find((candidate) => candidate.tickerNormalized === tickerNormalized);
    if (listing === undefined) return '';
    return ` ${quote(symbol)} was the ticker of ${listing.entityName} until at least ${lastDay}; the ticker is now ${listing.ticker}.`;
  }
  const words = splitNameIntoWords(text);
  const nameByCik = new Map<number, string>();
  // Does not search if all words are shorter than MIN_WORD_LENGTH, because too many names would match.
  const hasLongEnoughWord = words.some((word) => word.length >= MIN_WORD_LENGTH);
  for (const { cik, name } of hasLongEnoughWord ? await release.allOf(FORMER_NAMES) : []) {
    if (!nameByCik.has(cik) && nameHasWords(name, words)) nameByCik.set(cik, name);
  }
  const [matchingEntry, ...otherMatches] = nameByCik;
  if (matchingEntry === undefined || otherMatches.length > 0) return '';
  const [cik, name] = matchingEntry;
  const { entityName, ticker } = (await readCompanyNameFinder(release, [cik]))(cik);
  return ticker === null ? '' : ` ${name} is now ${entityName}, whose ticker is ${ticker}.`;
}
