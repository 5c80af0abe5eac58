/** Suggests names for an unknown word: synonyms and similar names. */
import { findNamesBySynonym } from './synonyms.ts';

/**
 * Returns at most three of `names`, most similar first. A name may differ from the word in up to a third of the word's
 * letters, or in one letter if the word is short.
 */
export function findNearest(word: string, names: readonly string[]): string[] {
  const lowerWord = word.toLowerCase();
  // For a word of one letter, only the same letter is suggested, because all other letters are equally similar.
  const maxDistance = lowerWord.length < 2 ? 0 : Math.max(1, Math.floor(lowerWord.length / 3));
  return names
    .map((name) => ({ name, distance: computeEditDistance(lowerWord, name.toLowerCase(), maxDistance) }))
    .filter((candidate) => candidate.distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map((candidate) => candidate.name);
}

/** Returns names that contain the word as one of their parts: eps_diluted for eps, BRK-B for BRK. */
function findNamesWithPart(word: string, names: readonly string[]): string[] {
  const lowerWord = word.toLowerCase();
  return lowerWord.length < 2
    ? []
    : names.filter((name) =>
        name
          .toLowerCase()
          .split(/[_\- ]/)
          .includes(lowerWord),
      );
}

/**
 * Returns the names that share the most parts with the word, if they share at least two parts: liabilities_to_equity
 * for debt_to_equity.
 */
function findNamesSharingParts(word: string, names: readonly string[]): string[] {
  const wordParts = new Set(word.toLowerCase().split('_'));
  const sharedCounts = names.map((name) => ({
    name,
    count: name.split('_').filter((part) => wordParts.has(part)).length,
  }));
  const maxSharedCount = Math.max(2, ...sharedCounts.map(({ count }) => count));
  return sharedCounts.filter(({ count }) => count === maxSharedCount).map(({ name }) => name);
}

/** Returns a sentence with suggestions to append to a message, with a leading space; empty if no name is similar. */
export function didYouMean(word: string, names: readonly string[]): string {
  const [firstName, ...otherNames] = findLikelyNames(word, names);
  if (firstName === undefined) return '';
  return otherNames.length === 0
    ? ` Did you mean ${firstName}?`
    : ` Did you mean ${[firstName, ...otherNames].join(', ')}?`;
}

/**
 * Returns at most three names: synonyms, then names that contain the word as a part, then similar names. If no such
 * name exists, returns names that share parts with the word.
 */
function findLikelyNames(word: string, names: readonly string[]): string[] {
  const similarNames = [
    ...new Set([...findNamesBySynonym(word, names), ...findNamesWithPart(word, names), ...findNearest(word, names)]),
  ];
  return (similarNames.length > 0 ? similarNames : findNamesSharingParts(word, names)).slice(0, 3);
}

/**
 * Returns the edit distance of two words (insertions, deletions, replacements, swaps of neighbours); stops counting
 * above `maxDistance`.
 */
export function computeEditDistance(firstWord: string, secondWord: string, maxDistance: number): number {
  if (Math.abs(firstWord.length - secondWord.length) > maxDistance) return maxDistance + 1;
  let rowBeforePrevious: number[] = [];
  let previousRow = Array.from({ length: secondWord.length + 1 }, (_, column) => column);
  for (let row = 1; row <= firstWord.length; row += 1) {
    const currentRow = [row];
    for (let column = 1; column <= secondWord.length; column += 1) {
      const replacementDistance =
        getDistance(previousRow, column - 1) + (firstWord[row - 1] === secondWord[column - 1] ? 0 : 1);
      let distance = Math.min(
        replacementDistance,
        getDistance(previousRow, column) + 1,
        getDistance(currentRow, column - 1) + 1,
      );
      const isSwap =
        row > 1 &&
        column > 1 &&
        firstWord[row - 1] === secondWord[column - 2] &&
        firstWord[row - 2] === secondWord[column - 1];
      if (isSwap) distance = Math.min(distance, getDistance(rowBeforePrevious, column - 2) + 1);
      currentRow.push(distance);
    }
    rowBeforePrevious = previousRow;
    previousRow = currentRow;
  }
  return getDistance(previousRow, secondWord.length);
}

const getDistance = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
