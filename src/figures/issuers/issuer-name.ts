/** Whether two names are of one issuer. Files spell and shorten names in different ways. */

const FORMS: ReadonlySet<string> = new Set(
  'INC INCORPORATED CORP CORPORATION CO COMPANY COS LTD LIMITED PLC LLC LP NV SA AG SE THE NEW COM COMMON STOCK STK SHS ORD'.split(
    ' ',
  ),
);
/** Words that many issuers share. */
const COMMON: ReadonlySet<string> = new Set(
  'AND AMERICAN AMERICA UNITED STATES NATIONAL GENERAL INTERNATIONAL INTL FIRST GROUP GRP HOLDINGS HLDGS HOLDING HLDG FINANCIAL FINL TECHNOLOGIES TECH SYSTEMS ENERGY CAPITAL CAP CLASS FUND TRUST TR ETF BANK'.split(
    ' ',
  ),
);

/** The name without legal form, article and the state that EDGAR adds: equal keys are one issuer. */
export function issuerKey(name: string): string {
  const words = wordsOf(name);
  while (words.length > 1 && FORMS.has(words.at(-1) ?? '')) words.pop();
  if (words.length > 1 && words[0] === 'THE') words.shift();
  return words.join(' ');
}

/**
 * Whether the names have a distinctive word in common, or its first letters ("MATLS" and "MATERIALS" do not; "MACHS" and
 * "MACHINES" do). Weak by itself: it confirms a match by something else, such as a ticker.
 */
export function namesAgree(a: string, b: string): boolean {
  if (issuerKey(a) === issuerKey(b)) return true;
  const [one, other] = [distinctiveWords(a), distinctiveWords(b)];
  return one.some((word) => other.some((candidate) => sameStart(word, candidate)));
}

/**
 * Whether a company that is named after its symbol may go by the other name too: its initials begin the symbol ("RTX
 * Corp" and "RAYTHEON TECHNOLOGIES CORP"). Weak by itself, as `namesAgree`.
 */
export function symbolAgrees(symbol: string, ownName: string, name: string): boolean {
  if (issuerKey(ownName) !== symbol) return false;
  const initials = wordsOf(name)
    .filter((word) => word.length >= 3 && !FORMS.has(word))
    .map((word) => word.charAt(0))
    .join('');
  return initials.length >= 2 && symbol.startsWith(initials);
}

/** The words of a text that are not in any of the names. */
export function wordsBeside(text: string, names: readonly string[]): string {
  const known = new Set(names.flatMap(wordsOf).filter((word) => !FORMS.has(word)));
  return text
    .split(/\s+/)
    .filter((word) => !known.has(word.toUpperCase()))
    .join(' ');
}

function distinctiveWords(name: string): string[] {
  return wordsOf(name).filter((word) => word.length >= 3 && !FORMS.has(word) && !COMMON.has(word));
}

function sameStart(a: string, b: string): boolean {
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
      // Files write initials apart: "A A R CORP".
      .replace(/\b[A-Z](?: [A-Z]\b)+/g, (initials) => initials.replaceAll(' ', ''))
      .split(' ')
      .filter((word) => word !== '')
  );
}
