/**
 * What kind of security a ticker names: an ordinary share, a depositary receipt for shares, or something else
 * (preferred stock, notes, warrants). By what files call it where they do, else by the ticker's own form.
 */

export type SecurityKind = 'share' | 'receipt' | 'other';

const OTHER =
  /\b(?:PFD|PREF|PREFERRED|NOTES?|NT|DEBENTURES?|DEB|WTS?|WARRANTS?|EXP|UNITS?|RTS?|RIGHTS?|DEP SHS?|CONV|CNV|ETN|ETNS|DUE|SR|SUB)\b|%/;
const RECEIPT = /\b(?:ADRS?|ADS|AMERICAN DEP\w*|DEPOSITARY RECEIPTS?|SPON(?:SORED|S|SRD)?)\b/;
const SHARE = /\b(?:COM|COMMON|ORD|ORDINARY|CL|CLASS|CAP STK|CAPITAL STOCK|SHS|SHARES|STOCK|REG\w* SHS)\b/;

/** A company's home line traded over the counter beside its receipts or registry shares: no further class. */
const FOREIGN_LINE = /^[A-Z]{4}[FY]$/;

/** @param titles what the files call it: descriptions and titles of class */
export function securityKind(tickerNormalized: string, titles: readonly string[]): SecurityKind {
  if (FOREIGN_LINE.test(tickerNormalized)) return 'other';
  const texts = titles.map((title) => title.toUpperCase());
  if (texts.some((text) => RECEIPT.test(text))) return 'receipt';
  if (texts.some((text) => OTHER.test(text))) return 'other';
  if (texts.some((text) => SHARE.test(text))) return 'share';
  return kindByTicker(tickerNormalized);
}

/** Preferred series are BAC-PL, warrants AB-WT or ABCDW, units ABCDU. */
function kindByTicker(ticker: string): SecurityKind {
  if (/-/.test(ticker)) return /^[A-Z]+-[A-OQ-TV-Z]$/.test(ticker) ? 'share' : 'other';
  return /^[A-Z]{4}[I-JL-PR-Z]$/.test(ticker) ? 'other' : 'share';
}

/**
 * Whether ordinary shares of the company trade under several tickers, so that a price of one says nothing of the
 * others' worth. A ticker that no file describes counts only where it is a letter from another (FOX and FOXA, BRK-A
 * and BRK-B): a bank's notes have tickers of their own.
 */
export function classesTradeApart(
  securities: readonly { readonly ticker: string; readonly titles: readonly string[] }[],
): boolean {
  const shares = securities.filter(({ ticker, titles }) => securityKind(ticker, titles) === 'share');
  const counted = shares.filter(
    (share) =>
      share.titles.length > 0 || shares.some((other) => other !== share && isSibling(other.ticker, share.ticker)),
  );
  return counted.length > 1;
}

/** One is the other and a letter, or they differ in their last letter only. */
function isSibling(a: string, b: string): boolean {
  const [short = '', long = ''] = [a, b]
    .map((ticker) => ticker.replaceAll('-', ''))
    .sort((x, y) => x.length - y.length);
  return long.slice(0, -1) === (long.length === short.length ? short.slice(0, -1) : short);
}
