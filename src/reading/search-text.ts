/** Searches the text of a document in linear time, with regular expressions or fixed strings. */
import { RE2JS } from 're2js';
import { Failure } from '../contract/failure.ts';
import type { Block } from './block.ts';
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
  /** The proven item that contains the match; null outside of proven items. */
  readonly item: ItemName | null;
  /** The printed page; null if unknown. */
  readonly page: string | null;
  /** Offset in the source of the block with the match. */
  readonly offset: number;
}

/** Returns the matches of a checked pattern in a document, in the order of the text. */
export type Search = (document: ReadingDocument, items: readonly Item[]) => Match[];

const MAX_PATTERN_LENGTH = 1000;
const MAX_OPTIONS = 4;
/** Maximum length of a match as shown: patterns such as `.*` match whole paragraphs. */
const MAX_MATCH_LENGTH = 2000;

/**
 * Returns the search for a pattern of at most 1,000 characters (RE2 syntax: no lookaround, no backreferences). Ignores
 * case unless the pattern has a capital letter. Throws a Failure (`usage`) for an invalid pattern.
 */
export function makeSearch(pattern: string, { fixed, context }: SearchOptions): Search {
  const expression = compile(pattern, fixed);
  const mayMatch = makeFilter(pattern, fixed);
  return ({ blocks }, items) =>
    blocks.flatMap((block, index) =>
      mayMatch(block.text) ? findInBlock(expression, block, index, items, context) : [],
    );
}

/**
 * Returns a test whether a text may match. For words and few options (`tariffs?|duties`), the test is a native regular
 * expression, which is several times faster than RE2 and takes linear time too.
 */
function makeFilter(pattern: string, fixed: boolean): (text: string) => boolean {
  if (/[^\w\s|?-]/.test(pattern) || (!fixed && pattern.split('?').length > MAX_OPTIONS)) return () => true;
  const native = new RegExp(fixed ? pattern.replace(/[|?]/g, '\\$&') : pattern, /[A-Z]/.test(pattern) ? '' : 'i');
  return (text) => native.test(text);
}

function compile(pattern: string, fixed: boolean): RE2JS {
  if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH)
    throw new Failure('usage', `A pattern has 1 to ${MAX_PATTERN_LENGTH} characters; this one has ${pattern.length}.`);
  try {
    return RE2JS.compile(fixed ? RE2JS.quote(pattern) : pattern, /[A-Z]/.test(pattern) ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure('usage', `The pattern is not a valid regular expression: ${reason}.`, {
      hint: 'To search for the characters themselves, add -F. Lookaround and backreferences are not supported.',
      cause: error,
    });
  }
}

function findInBlock(expression: RE2JS, block: Block, index: number, items: readonly Item[], context: number): Match[] {
  const { text, page, start: offset } = block;
  const matches: Match[] = [];
  const matcher = expression.matcher(text);
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (start === end) continue;
    const item = findInnermost(items, index);
    matches.push({
      before: takeLastWords(text.slice(0, start), context),
      text: text.slice(start, Math.min(end, start + MAX_MATCH_LENGTH)),
      after: takeFirstWords(text.slice(end), context),
      item: item === undefined ? null : { part: item.part, item: item.item, title: item.title },
      page,
      offset,
    });
  }
  return matches;
}

/** Returns the item that contains a block. If two do, the later one is a part of the other and is returned. */
const findInnermost = (items: readonly Item[], block: number): Item | undefined =>
  items
    .filter(({ start, end }) => start !== null && end !== null && start.block <= block && block < end.block)
    .toSorted((a, b) => (b.start?.block ?? 0) - (a.start?.block ?? 0))[0];

/** Returns the last words of a text, with the space after them. */
function takeLastWords(text: string, count: number): string {
  let at = text.trimEnd().length;
  for (let word = 0; word < count && at > 0; word++) at = text.lastIndexOf(' ', at - 1);
  return text.slice(at + 1);
}

/** Returns the first words of a text, with the space before them. */
function takeFirstWords(text: string, count: number): string {
  let at = text.length - text.trimStart().length;
  for (let word = 0; word < count && at !== -1; word++) at = text.indexOf(' ', at + 1);
  return at === -1 ? text : text.slice(0, at);
}
