/** Suggests names for an unknown word: synonyms and similar names. */
import { explainAbsence } from './absent-words.ts';
import { findNamesBySynonym } from './synonyms.ts';

/**
 * Returns at most three of `names`, most similar first. A name may differ from the word in up to a third of the word's
 * letters, or in one letter if the word is short.
 */
export function findNearest(word: string, names: readonly string[]): string[] {
  const lower = word.toLowerCase();
  // For a word of one letter, only the same letter is suggested, because all other letters are equally similar.
  const limit = lower.length < 2 ? 0 : Math.max(1, Math.floor(lower.length / 3));
  return names
    .map((name) => ({ name, distance: computeEditDistance(lower, name.toLowerCase(), limit) }))
    .filter((row) => row.distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map((row) => row.name);
}

/**
 * Returns names that contain the word as one of their parts, such as eps_diluted for eps or BRK-B for BRK. Names of
 * fewer parts come first.
 */
function findNamesWithPart(word: string, names: readonly string[]): string[] {
  const lower = word.toLowerCase();
  if (lower.length < 2) return [];
  const namesWithParts = names.map((name) => ({ name, parts: name.toLowerCase().split(/[_\- ]/) }));
  return namesWithParts
    .filter(({ parts }) => parts.includes(lower))
    .sort((a, b) => a.parts.length - b.parts.length)
    .map(({ name }) => name);
}

/**
 * Returns the names that share the most parts with the word, if they share at least two parts: liabilities_to_equity
 * for debt_to_equity.
 */
function findNamesSharingParts(word: string, names: readonly string[]): string[] {
  const parts = new Set(word.toLowerCase().split('_'));
  const counts = names.map((name) => ({ name, count: name.split('_').filter((part) => parts.has(part)).length }));
  const max = Math.max(2, ...counts.map(({ count }) => count));
  return counts.filter(({ count }) => count === max).map(({ name }) => name);
}

/**
 * Returns a sentence with suggestions to append to a message, with a leading space; empty if no name is similar. If the
 * word means data that fin does not have, returns an explanation instead, except if the names are tickers (without
 * small letters), which may equal such words.
 */
export function didYouMean(word: string, names: readonly string[]): string {
  const absence = names.some((name) => /[a-z]/.test(name)) ? explainAbsence(word, names) : null;
  if (absence !== null) return ` ${absence}`;
  const [first, ...others] = findLikelyNames(word, names);
  if (first === undefined) return '';
  return others.length === 0 ? ` Did you mean ${first}?` : ` Did you mean ${[first, ...others].join(', ')}?`;
}

/**
 * Returns at most three names: synonyms, then names that contain the word as a part, then similar names. If no such
 * name exists, returns names that share parts with the word.
 */
function findLikelyNames(word: string, names: readonly string[]): string[] {
  const similar = [
    ...new Set([...findNamesBySynonym(word, names), ...findNamesWithPart(word, names), ...findNearest(word, names)]),
  ];
  return (similar.length > 0 ? similar : findNamesSharingParts(word, names)).slice(0, 3);
}

/**
 * Returns the edit distance of two words (insertions, deletions, replacements, swaps of neighbours); stops counting
 * above `limit`.
 */
export function computeEditDistance(first: string, second: string, limit: number): number {
  if (Math.abs(first.length - second.length) > limit) return limit + 1;
  let earlierRow: number[] = [];
  let previousRow = Array.from({ length: second.length + 1 }, (_, column) => column);
  for (let row = 1; row <= first.length; row += 1) {
    const currentRow = [row];
    for (let column = 1; column <= second.length; column += 1) {
      const replaced = getDistance(previousRow, column - 1) + (first[row - 1] === second[column - 1] ? 0 : 1);
      let distance = Math.min(replaced, getDistance(previousRow, column) + 1, getDistance(currentRow, column - 1) + 1);
      const isSwap =
        row > 1 && column > 1 && first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
      if (isSwap) distance = Math.min(distance, getDistance(earlierRow, column - 2) + 1);
      currentRow.push(distance);
    }
    earlierRow = previousRow;
    previousRow = currentRow;
  }
  return getDistance(previousRow, second.length);
}

const getDistance = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
