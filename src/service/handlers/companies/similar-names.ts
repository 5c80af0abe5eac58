/** Finds companies by misspelt names, or by names with different spaces, if no ticker and no name matches. */
import { splitNameIntoWords } from '../../../contract/identifiers.ts';
import { computeEditDistance } from '../../../contract/nearest.ts';
import { getOrInsert, sumNumbers } from '../../../platform/collections.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { FORMER_NAMES } from '../../../store/schema/former-names.ts';
import type { Listing } from '../../../store/schema/listings.ts';
import { readAllListings } from '../coverage/find-listings.ts';

/**
 * Minimum lengths of a search word, because shorter words resemble too many words: `oneEdit` to differ from a word of a
 * name by one edit, `unfinished` to resemble only the beginning of a word, `twoEdits` to differ by two edits.
 */
const MIN_WORD_LENGTHS = { oneEdit: 4, unfinished: 6, twoEdits: 8 };

/**
 * Words that users type, but that many names at the SEC lack or abbreviate: NVIDIA CORP, BOEING CO, HOME DEPOT, INC.
 * Names have "&" instead of "and", and `splitNameIntoWords` drops it.
 */
const IGNORED_WORDS: ReadonlySet<string> = new Set(
  'and the company co corporation corp incorporated inc limited ltd'.split(' '),
);

/**
 * Returns the listings of the companies whose current or former names are most similar to the words. Similar words have
 * the same first letter and differ by one edit, or by up to two edits if long. Words may be joined or split.
 */
export async function findBySimilarName(release: ReleaseReader, words: readonly string[]): Promise<readonly Listing[]> {
  const all = await readAllListings(release);
  const namesByCik = new Map<number, Set<string>>();
  for (const { cik, entityName } of all) getOrInsert(namesByCik, cik, () => new Set()).add(entityName);
  for (const { cik, name } of await release.allOf(FORMER_NAMES)) namesByCik.get(cik)?.add(name);
  let fewest = Number.POSITIVE_INFINITY;
  const editCountByCik = new Map<number, number>();
  for (const [cik, names] of namesByCik) {
    const edits = Math.min(...[...names].map((name) => countEdits(words, splitNameIntoWords(name))));
    editCountByCik.set(cik, edits);
    fewest = Math.min(fewest, edits);
  }
  return fewest === Number.POSITIVE_INFINITY ? [] : all.filter(({ cik }) => editCountByCik.get(cik) === fewest);
}

/**
 * Returns the fewest edits that turn the search words, separate or joined, into words of the name. Infinity if the name
 * is not similar.
 */
function countEdits(words: readonly string[], nameWords: readonly string[]): number {
  const kept = words.filter((word) => !IGNORED_WORDS.has(word));
  const query = kept.join('');
  const separate = sumNumbers(kept.map((word) => Math.min(...nameWords.map((other) => countWordEdits(word, other)))));
  const joined = Math.min(...nameWords.map((_, start) => countJoinedEdits(query, nameWords.slice(start))));
  return kept.length === 0 ? Number.POSITIVE_INFINITY : Math.min(separate, joined);
}

/**
 * Returns the number of edits between the joined search words and the first word of the name, such as "jp morgan" and
 * JPMORGAN. 0 if the joined name begins with the search words, such as "cocacola" and COCA COLA.
 */
function countJoinedEdits(joined: string, words: readonly string[]): number {
  const [first = ''] = words;
  if (joined.length >= MIN_WORD_LENGTHS.oneEdit && words.join('').startsWith(joined)) return 0;
  return countWordEdits(joined, first);
}

function countWordEdits(word: string, nameWord: string): number {
  if (nameWord.startsWith(word)) return 0;
  if (word[0] !== nameWord[0] || word.length < MIN_WORD_LENGTHS.oneEdit) return Number.POSITIVE_INFINITY;
  const max = word.length < MIN_WORD_LENGTHS.twoEdits ? 1 : 2;
  const nameWordStart = word.length < MIN_WORD_LENGTHS.unfinished ? nameWord : nameWord.slice(0, word.length);
  const edits = Math.min(computeEditDistance(word, nameWord, max), computeEditDistance(word, nameWordStart, max));
  return edits <= max ? edits : Number.POSITIVE_INFINITY;
}
