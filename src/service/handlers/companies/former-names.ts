/** What companies and securities went by before: it finds them, and explains a ticker that is no more. */
import { nameWords } from '../../../contract/identifiers.ts';
import { quote } from '../../../contract/quote.ts';
import { pushTo } from '../../../figures/groups.ts';
import { FORMER_NAMES, FORMER_TICKERS } from '../../../release/schema/former-names.ts';
import type { Manifest } from '../../../release/store/manifest.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';
import { companyNames } from '../company-names.ts';

/** Whether a security, or its company, went by what was asked for. */
export type FormerMatch = (security: { readonly cik: number; readonly tickerNormalized: string }) => boolean;

interface SplitName {
  readonly name: string;
  readonly words: readonly string[];
}

/** The names of each company; split into words once for each release. */
const namesOfReleases = new WeakMap<Manifest, Promise<ReadonlyMap<number, readonly SplitName[]>>>();

/** Matches an exact former ticker, and a former name in which each of the words begins a word. */
export async function formerMatch(
  release: ReleaseReader,
  ticker: string,
  words: readonly string[],
): Promise<FormerMatch> {
  const symbol = symbolOf(ticker);
  const tickers = (await release.allOf(FORMER_TICKERS)).filter((former) => former.symbol === symbol);
  const names = await formerNames(release);
  return ({ cik, tickerNormalized }) =>
    tickers.some((former) => former.tickerNormalized === tickerNormalized) ||
    (names.get(cik) ?? []).some((name) => hasWords(name, words));
}

/**
 * A sentence on the company that had this ticker, or alone went by this name, with a leading space; empty where there
 * is none.
 */
export async function formerly(release: ReleaseReader, text: string): Promise<string> {
  const symbol = symbolOf(text);
  const former = (await release.allOf(FORMER_TICKERS)).find((one) => one.symbol === symbol);
  if (former !== undefined) {
    const { entityName } = (await companyNames(release, [former.cik]))(former.cik);
    const security = (await release.securities()).find((one) => one.tickerNormalized === former.tickerNormalized);
    if (security === undefined) return '';
    return ` ${quote(symbol)} was the ticker of ${entityName} (last seen ${former.lastDay}), which is now ${security.ticker}.`;
  }
  const words = nameWords(text);
  const named = [...(await formerNames(release))].flatMap(([cik, names]) => {
    const name = names.find((one) => hasWords(one, words));
    return name === undefined ? [] : [{ cik, name: name.name }];
  });
  const [only, ...others] = named;
  if (only === undefined || others.length > 0) return '';
  const { entityName, ticker } = (await companyNames(release, [only.cik]))(only.cik);
  return ticker === null ? '' : ` ${only.name} is now ${entityName}, whose ticker is ${ticker}.`;
}

const hasWords = (name: SplitName, words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => name.words.some((part) => part.startsWith(word)));

function formerNames(release: ReleaseReader): Promise<ReadonlyMap<number, readonly SplitName[]>> {
  const known = namesOfReleases.get(release.manifest) ?? readNames(release);
  namesOfReleases.set(release.manifest, known);
  known.catch(() => namesOfReleases.delete(release.manifest));
  return known;
}

async function readNames(release: ReleaseReader) {
  const names = new Map<number, SplitName[]>();
  for (const { cik, name } of await release.allOf(FORMER_NAMES)) {
    pushTo(names, cik, { name, words: nameWords(name) });
  }
  return names;
}

/** As fails-to-deliver files write symbols: without class separators. */
const symbolOf = (ticker: string): string => ticker.toUpperCase().replace(/[^A-Z0-9]/g, '');
