/**
 * Determines the kind of security of a ticker: ordinary share, depositary receipt, or other (preferred stock, notes,
 * warrants). Files state different titles for one security, and some titles are wrong, so the most frequent kind
 * decides; between equally frequent kinds, the form of the ticker decides.
 */
import { removeShareClassSeparator } from '../../contract/identifiers.ts';
import { getOrInsert } from '../../platform/collections.ts';

type SecurityKind = 'share' | 'receipt' | 'other';

/** Number of occurrences of each title that files state for a security. */
export type ClassTitleCounts = ReadonlyMap<string, number>;

/**
 * Matches titles of shares, such as "SUB VTG" and "COMMON UNITS". In other titles, SUB and UNITS denote notes and
 * units.
 */
const VOTING_OR_PARTNERSHIP_PATTERN =
  /\bSUB\w* V(?:T|O)\w*\b|\bUNI?TS? (?:REP\w* )?L(?:TD|IMITED) P\w+|\bCOM(?:MON)? UNI?TS?\b|\bUNI?TS? BEN/;
const OTHER_SECURITY_PATTERN =
  /\b(?:PFD|PREF|PREFERRED|NOTES?|NT|DEBENTURES?|DEB|WTS?|WARRANTS?|EXP|UNITS?|RTS?|RIGHTS?|DEP SHS?|CONV|CNV|ETN|ETNS|DUE|SR|SUB|NON ?CUM|CUM|INDEX LK|LKD)\b|%|\*W\b/;
const RECEIPT_PATTERN = /\b(?:ADRS?|ADS|AMERICAN DEP\w*|DEPOSITARY RECEIPTS?|SPON(?:SORED|S|SRD)?)\b/;
const SHARE_PATTERN = /\b(?:COM|COMMON|ORD|ORDINARY|CL|CLASS|CAP STK|CAPITAL STOCK|SHS|SHARES|STOCK|REG\w* SHS)\b/;

/**
 * Matches over-the-counter tickers of foreign companies: ordinary shares end in F, depositary receipts in Y. Both count
 * as the kind `other`, so that such a ticker does not count as a separate share class.
 */
const FOREIGN_OTC_TICKER_PATTERN = /^[A-Z]{4}[FY]$/;

export function detectSecurityKind(ticker: string, titles: ClassTitleCounts): SecurityKind {
  if (FOREIGN_OTC_TICKER_PATTERN.test(ticker)) return 'other';
  return detectKindByTitles(titles) ?? detectKindByTicker(ticker);
}

/** Returns the most frequent kind; null if no title states a kind or several kinds are the most frequent. */
export function detectKindByTitles(titles: ClassTitleCounts): SecurityKind | null {
  const counts = new Map<SecurityKind, number>();
  for (const [title, count] of titles) {
    const kind = detectKindByTitle(title.toUpperCase());
    if (kind !== null) counts.set(kind, getOrInsert(counts, kind, () => 0) + count);
  }
  const [best, next] = [...counts].sort(([, a], [, b]) => b - a);
  return best === undefined || best[1] === next?.[1] ? null : best[0];
}

function detectKindByTitle(title: string): SecurityKind | null {
  if (RECEIPT_PATTERN.test(title)) return 'receipt';
  if (VOTING_OR_PARTNERSHIP_PATTERN.test(title)) return 'share';
  if (OTHER_SECURITY_PATTERN.test(title)) return 'other';
  return SHARE_PATTERN.test(title) ? 'share' : null;
}

/**
 * Decides by the ticker's form: preferred series are like BAC-PL, warrants like AB-WT, ABCDW or ABCDWS, units like
 * ABCDU.
 */
function detectKindByTicker(ticker: string): SecurityKind {
  if (/-/.test(ticker)) return /^[A-Z]+-[A-OQ-TV-Z]$/.test(ticker) ? 'share' : 'other';
  return /^[A-Z]{4}(?:[I-JL-PR-Z]|WS|WT|UN|RT)$/.test(ticker) ? 'other' : 'share';
}

/** Letters that the symbol of a warrant, unit or right adds to the symbol of the share. */
const NON_SHARE_SUFFIXES: ReadonlySet<string> = new Set(['W', 'WS', 'WT', 'U', 'UN', 'R', 'RT']);

/**
 * Whether all symbols of a security denote warrants, units or rights: by their form, or because a suffix is added to
 * another symbol of the issuer (AB and ABW).
 * @param symbols symbols of the security, without class separators
 * @param others the symbols of all the issuer's securities
 */
export function hasOnlyNonShareSymbols(symbols: Iterable<string>, others: ReadonlySet<string>): boolean {
  const all = [...symbols];
  const hasSuffix = (symbol: string) =>
    [1, 2].some((length) => NON_SHARE_SUFFIXES.has(symbol.slice(-length)) && others.has(symbol.slice(0, -length)));
  return all.length > 0 && all.every((symbol) => detectKindByTicker(symbol) === 'other' || hasSuffix(symbol));
}

/**
 * Whether ordinary shares of the company trade under several tickers, so that the price of one class does not apply to
 * the others. A ticker counts if its titles describe a share, or if it differs from another ticker by a class letter
 * (FOX and FOXA, BRK-A and BRK-B). Without this rule, a bank's notes would count.
 */
export function areClassesSeparate(
  securities: readonly { readonly ticker: string; readonly titles: ClassTitleCounts }[],
): boolean {
  const shares = securities.filter(({ ticker, titles }) => detectSecurityKind(ticker, titles) === 'share');
  const countedShares = shares.filter(
    (share) =>
      detectKindByTitles(share.titles) === 'share' ||
      shares.some((other) => other !== share && differByClassLetter(other.ticker, share.ticker)),
  );
  return countedShares.length > 1;
}

/**
 * Matches tickers with a class letter. A fifth letter denotes a share class only if the letter is A, B or K; other
 * letters denote notes, preferred stock and so on.
 */
const CLASS_LETTER_PATTERN = /^(?:[A-Z]{4}[ABK]|[A-Z]{0,3}[ABCGKL])$/;

/** Whether one ticker is the other plus a class letter, or the two differ only in a final class letter. */
function differByClassLetter(a: string, b: string): boolean {
  const [ticker, other] = [removeShareClassSeparator(a), removeShareClassSeparator(b)];
  const [shorter, longer] = ticker.length <= other.length ? [ticker, other] : [other, ticker];
  if (!CLASS_LETTER_PATTERN.test(longer)) return false;
  return longer.length === shorter.length
    ? CLASS_LETTER_PATTERN.test(shorter) && longer.slice(0, -1) === shorter.slice(0, -1)
    : longer.slice(0, -1) === shorter;
}
