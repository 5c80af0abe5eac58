/** Finds companies by misspelt names, or names with other spaces, once no ticker and no name matches. */
import { nameWords } from '../../../contract/identifiers.ts';
import { editDistance } from '../../../contract/text/nearest.ts';
import { getOrInsert } from '../../../platform/collections.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { FORMER_NAMES } from '../../../store/schema/former-names.ts';
import type { Listing } from '../../../store/schema/listings.ts';
import { everyListing } from '../listings.ts';

/** Minimum letters of a word for one edit, for an unfinished word, and for two edits: shorter words resemble too many. */
const MIN_LETTERS = { oneEdit: 4, unfinished: 6, twoEdits: 8 };

/**
 * Returns the listings of the companies whose current or former name is nearest to the words, and near enough. A word
 * is near another with the same first letter and one edit, of long words two. Words may be joined or split.
 */
export async function listingsNamedAlike(
  release: ReleaseReader,
  words: readonly string[],
): Promise<readonly Listing[]> {
  const listings = await everyListing(release);
  const names = new Map<number, Set<string>>();
  for (const { cik, entityName } of listings) getOrInsert(names, cik, () => new Set()).add(entityName);
  for (const { cik, name } of await release.allOf(FORMER_NAMES)) names.get(cik)?.add(name);
  let nearest = Number.POSITIVE_INFINITY;
  const companies = new Map<number, number>();
  for (const [cik, own] of names) {
    const edits = Math.min(...[...own].map((name) => editsBetween(words, nameWords(name))));
    companies.set(cik, edits);
    nearest = Math.min(nearest, edits);
  }
  return nearest === Number.POSITIVE_INFINITY ? [] : listings.filter(({ cik }) => companies.get(cik) === nearest);
}

/** Returns the number of edits that make each word a word of the name; infinity if the words are not near enough. */
function editsBetween(words: readonly string[], name: readonly string[]): number {
  // The name says "&" for it.
  const wantedWords = words.filter((word) => word !== 'and');
  const joined = wantedWords.join('');
  const apart = sum(wantedWords.map((word) => Math.min(...name.map((own) => editsOfWord(word, own)))));
  const together = Math.min(...name.map((_, start) => editsOfJoined(joined, name.slice(start))));
  return wantedWords.length === 0 ? Number.POSITIVE_INFINITY : Math.min(apart, together);
}

/** Compares with the words of the name joined, as in JPMORGAN and "jp morgan", COCA COLA and "cocacola". */
function editsOfJoined(joined: string, name: readonly string[]): number {
  const [first = ''] = name;
  if (joined.length >= MIN_LETTERS.oneEdit && name.join('').startsWith(joined)) return 0;
  return editsOfWord(joined, first);
}

function editsOfWord(word: string, own: string): number {
  if (own.startsWith(word)) return 0;
  if (word[0] !== own[0] || word.length < MIN_LETTERS.oneEdit) return Number.POSITIVE_INFINITY;
  const reach = word.length < MIN_LETTERS.twoEdits ? 1 : 2;
  const begun = word.length < MIN_LETTERS.unfinished ? own : own.slice(0, word.length);
  const edits = Math.min(editDistance(word, own, reach), editDistance(word, begun, reach));
  return edits <= reach ? edits : Number.POSITIVE_INFINITY;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
