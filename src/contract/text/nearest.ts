/** "Did you mean": the names closest to a misspelt one, and the meaning of synonyms. */
import { namesMeant } from './synonyms.ts';

/**
 * Returns at most three of `names`, nearest first, with at most a third of the word's letters different (at least
 * one).
 */
export function nearest(word: string, names: readonly string[]): string[] {
  const wanted = word.toLowerCase();
  // A word of one letter is equally near to all others.
  const reach = wanted.length < 2 ? 0 : Math.max(1, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase(), reach) }))
    .filter((candidate) => candidate.distance <= reach)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map((candidate) => candidate.name);
}

/** Returns names with the word as a whole part: eps in eps_diluted, BRK in BRK-B. */
function havingPart(word: string, names: readonly string[]): string[] {
  const wanted = word.toLowerCase();
  return wanted.length < 2
    ? []
    : names.filter((name) =>
        name
          .toLowerCase()
          .split(/[_\- ]/)
          .includes(wanted),
      );
}

/**
 * Returns the names that share the most parts with the word, at least two: liabilities_to_equity for debt_to_equity.
 */
function sharingParts(word: string, names: readonly string[]): string[] {
  const parts = new Set(word.toLowerCase().split('_'));
  const shared = names.map((name) => ({ name, count: name.split('_').filter((part) => parts.has(part)).length }));
  const most = Math.max(2, ...shared.map(({ count }) => count));
  return shared.filter(({ count }) => count === most).map(({ name }) => name);
}

/** Returns the sentence for a message, with a leading space, or an empty text. */
export function didYouMean(word: string, names: readonly string[]): string {
  const [first, ...others] = likely(word, names);
  if (first === undefined) return '';
  return others.length === 0 ? ` Did you mean ${first}?` : ` Did you mean ${[first, ...others].join(', ')}?`;
}

/**
 * Returns at most three names: synonyms, then names with the word as a part, then near ones, or else those that share
 * parts.
 */
function likely(word: string, names: readonly string[]): string[] {
  const close = [...new Set([...namesMeant(word, names), ...havingPart(word, names), ...nearest(word, names)])];
  return (close.length > 0 ? close : sharingParts(word, names)).slice(0, 3);
}

/** Returns the number of edits (insert, delete, replace, swap neighbours) from `a` to `b`; stops above `reach`. */
export function editDistance(a: string, b: string, reach: number): number {
  if (Math.abs(a.length - b.length) > reach) return reach + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, at(before, column - 2) + 1);
      current.push(best);
    }
    before = previous;
    previous = current;
  }
  return at(previous, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
