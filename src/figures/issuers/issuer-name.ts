/** Compares issuers' names, which files spell and abbreviate differently. */

const LEGAL_FORM_WORDS: ReadonlySet<string> = new Set(
  'INC INCORPORATED CORP CORPORATION CO COMPANY COS LTD LIMITED PLC LLC LP NV SA AG SE THE NEW COM COMMON STOCK STK SHS ORD'.split(
    ' ',
  ),
);
/** Words that many issuers' names contain. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  'AND AMERICAN AMERICA UNITED STATES NATIONAL GENERAL INTERNATIONAL INTL FIRST GROUP GRP HOLDINGS HLDGS HOLDING HLDG FINANCIAL FINL TECHNOLOGIES TECH SYSTEMS ENERGY CAPITAL CAP CLASS FUND TRUST TR ETF BANK'.split(
    ' ',
  ),
);

/** The name without its legal form, article and the state that EDGAR adds. Names with equal keys are of one issuer. */
export function issuerKey(name: string): string {
  const words = wordsOf(name);
  while (words.length > 1 && LEGAL_FORM_WORDS.has(words.at(-1) ?? '')) words.pop();
  if (words.length > 1 && words[0] === 'THE') words.shift();
  return words.join(' ');
}

/**
 * Whether the names share a distinctive word, or one is the beginning of the other ("MACHS" and "MACHINES" match;
 * "MATLS" and "MATERIALS" do not). This is weak evidence: it only confirms a match found otherwise, such as by
 * ticker.
 */
export function namesAgree(a: string, b: string): boolean {
  if (issuerKey(a) === issuerKey(b)) return true;
  const [wordsOfOne, wordsOfOther] = [distinctiveWords(a), distinctiveWords(b)];
  return wordsOfOne.some((word) => wordsOfOther.some((candidate) => haveSameStart(word, candidate)));
}

/**
 * Whether a company named after its symbol may have the other name too: the initials of that name begin the symbol
 * ("RTX Corp" and "RAYTHEON TECHNOLOGIES CORP"). Weak evidence, as `namesAgree`.
 */
export function symbolAgrees(symbol: string, ownName: string, name: string): boolean {
  if (issuerKey(ownName) !== symbol) return false;
  const initials = wordsOf(name)
    .filter((word) => word.length >= 3 && !LEGAL_FORM_WORDS.has(word))
    .map((word) => word.charAt(0))
    .join('');
  return initials.length >= 2 && symbol.startsWith(initials);
}

/** Words of a text that do not occur in any of the names. */
export function removeNameWords(text: string, names: readonly string[]): string {
  const nameWords = new Set(names.flatMap(wordsOf).filter((word) => !LEGAL_FORM_WORDS.has(word)));
  return text
    .split(/\s+/)
    .filter((word) => !nameWords.has(word.toUpperCase()))
    .join(' ');
}

function distinctiveWords(name: string): string[] {
  return wordsOf(name).filter((word) => word.length >= 3 && !LEGAL_FORM_WORDS.has(word) && !COMMON_WORDS.has(word));
}

function haveSameStart(a: string, b: string): boolean {
  return a === b || (Math.min(a.length, b.length) >= 4 && a.slice(0, 4) === b.slice(0, 4));
}

function wordsOf(name: string): string[] {
  return (
    name
      .toUpperCase()
      .replace(/\/[^/]*\/?\s*$/, ' ')
      .replace(/['\u2019]/g, '')
      .replace(/&/g, ' AND ')
      .replace(/[^A-Z0-9]+/g, ' ')
      // Joins initials that files separate: "A A R CORP".
      .replace(/\b[A-Z](?: [A-Z]\b)+/g, (initials) => initials.replaceAll(' ', ''))
      .split(' ')
      .filter((word) => word !== '')
  );
}
