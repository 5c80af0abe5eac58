/** Compares issuers' names, which files spell and abbreviate differently. */
import { toWordSet } from '../../platform/collections.ts';

const LEGAL_FORM_WORDS = toWordSet(
  'INC INCORPORATED CORP CORPORATION CO COMPANY COS LTD LIMITED PLC LLC LP NV SA AG SE THE NEW COM COMMON STOCK STK SHS ORD',
);
/** Words that occur in many issuers' names, and so do not identify an issuer. */
const FREQUENT_WORDS = toWordSet(
  'AND AMERICAN AMERICA UNITED STATES NATIONAL GENERAL INTERNATIONAL INTL FIRST GROUP GRP HOLDINGS HLDGS HOLDING HLDG FINANCIAL FINL TECHNOLOGIES TECH SYSTEMS ENERGY CAPITAL CAP CLASS FUND TRUST TR ETF BANK',
);

/** Returns the name without legal form, article and state suffix: "COCA COLA" for "The Coca-Cola Co /DE/". */
export function makeIssuerNameKey(name: string): string {
  const words = splitWords(name);
  while (words.length > 1 && LEGAL_FORM_WORDS.has(words.at(-1) ?? '')) words.pop();
  if (words.length > 1 && words[0] === 'THE') words.shift();
  return words.join(' ');
}

/**
 * Whether two names agree: they differ only in legal form, one begins with the words of the other, or they share a
 * distinctive word. Words also count as shared if they start with the same four letters ("MACHS" and "MACHINES").
 * Agreement is weak evidence: it only confirms a match by other means, such as the ticker.
 */
export function doNamesAgree(a: string, b: string): boolean {
  if (makeIssuerNameKey(a) === makeIssuerNameKey(b) || beginsWithWordsOfOther(a, b)) return true;
  const [words, otherWords] = [listDistinctiveWords(a), listDistinctiveWords(b)];
  return words.some((word) => otherWords.some((other) => haveSameStart(word, other)));
}

/**
 * Whether a company whose name is its symbol ("RTX Corp") may be the company with the other name ("RAYTHEON
 * TECHNOLOGIES CORP"), because the other name's initials begin the symbol. Weak evidence, as in `doNamesAgree`.
 */
export function symbolAgrees(symbol: string, name: string, otherName: string): boolean {
  if (makeIssuerNameKey(name) !== symbol) return false;
  const initials = splitWords(otherName)
    .filter((word) => word.length >= 3 && !LEGAL_FORM_WORDS.has(word))
    .map((word) => word.charAt(0))
    .join('');
  return initials.length >= 2 && symbol.startsWith(initials);
}

/** Returns the text without the words of the names. */
export function removeNameWords(text: string, names: readonly string[]): string {
  const excluded = new Set(names.flatMap(splitWords).filter((word) => !LEGAL_FORM_WORDS.has(word)));
  return text
    .split(/\s+/)
    .filter((word) => !excluded.has(word.toUpperCase()))
    .join(' ');
}

const listDistinctiveWords = (name: string): string[] =>
  splitWords(name).filter((word) => word.length >= 3 && !LEGAL_FORM_WORDS.has(word) && !FREQUENT_WORDS.has(word));

/**
 * Whether the longer name begins with all words of the shorter name, perhaps abbreviated: "AMERICAN INTERNATIONAL
 * GROUP" and "AMERICAN INTL GROUP INC COM". Ignores legal forms; false if only one word of the shorter name is left.
 */
function beginsWithWordsOfOther(a: string, b: string): boolean {
  const [short, long] = [a, b].map((name) => makeIssuerNameKey(name).split(' ')).sort((x, y) => x.length - y.length);
  return (
    short !== undefined &&
    long !== undefined &&
    short.length > 1 &&
    short.every((word, index) => isAbbreviation(word, long[index] ?? '') || isAbbreviation(long[index] ?? '', word))
  );
}

/**
 * Whether the text is the word, or the word's first letter and some of the later letters in order (`INTL`, `HLDGS`).
 */
function isAbbreviation(text: string, word: string): boolean {
  if (text === word) return true;
  if (text.length < 2 || text.charAt(0) !== word.charAt(0)) return false;
  let index = 0;
  for (const letter of text) {
    index = word.indexOf(letter, index) + 1;
    if (index === 0) return false;
  }
  return true;
}

const haveSameStart = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= 4 && a.slice(0, 4) === b.slice(0, 4));

const splitWords = (name: string): string[] =>
  name
    .toUpperCase()
    .replace(/\/[^/]*\/?\s*$/, ' ')
    .replace(/['\u2019]/g, '')
    .replace(/&/g, ' AND ')
    .replace(/[^A-Z0-9]+/g, ' ')
    // Joins initials that files separate: "A A R CORP".
    .replace(/\b[A-Z](?: [A-Z]\b)+/g, (initials) => initials.replaceAll(' ', ''))
    .split(' ')
    .filter((word) => word !== '');
