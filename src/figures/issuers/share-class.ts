/**
 * What kind of security a ticker names: an ordinary share, a depositary receipt for shares, or something else
 * (preferred stock, notes, warrants). By the titles that files give it, else by the form of the ticker.
 */

export type SecurityKind = 'share' | 'receipt' | 'other';

const OTHER =
  /\b(?:PFD|PREF|PREFERRED|NOTES?|NT|DEBENTURES?|DEB|WTS?|WARRANTS?|EXP|UNITS?|RTS?|RIGHTS?|DEP SHS?|CONV|CNV|ETN|ETNS|DUE|SR|SUB)\b|%/;
const RECEIPT = /\b(?:ADRS?|ADS|AMERICAN DEP\w*|DEPOSITARY RECEIPTS?|SPON(?:SORED|S|SRD)?)\b/;
const SHARE = /\b(?:COM|COMMON|ORD|ORDINARY|CL|CLASS|CAP STK|CAPITAL STOCK|SHS|SHARES|STOCK|REG\w* SHS)\b/;

/** A company's home shares traded over the counter beside its receipts: no further class. */
const OVER_THE_COUNTER = /^[A-Z]{4}[FY]$/;

/** @param titles descriptions and titles of class in files */
export function securityKind(tickerNormalized: string, titles: readonly string[]): SecurityKind {
  if (OVER_THE_COUNTER.test(tickerNormalized)) return 'other';
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
 * Whether ordinary shares of the company trade under several tickers, so that the price of one does not value the
 * others. A ticker without titles counts only where it differs from another by a letter (FOX and FOXA, BRK-A and
 * BRK-B): a bank's notes have tickers of their own.
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

/** One is the other plus a letter, or they differ only in their last letter. */
function isSibling(a: string, b: string): boolean {
  const [one, other] = [a.replaceAll('-', ''), b.replaceAll('-', '')];
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return long.slice(0, -1) === (long.length === short.length ? short.slice(0, -1) : short);
}
