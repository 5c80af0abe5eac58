/** Finds tables of contents and cross-reference indexes: rows near each other that name items, with pages or links. */
import { divideIntoRuns } from '../platform/collections.ts';
import type { Block } from './block.ts';
import { type Heading, readPart } from './headings.ts';
import type { FormItem } from './item-names.ts';

/** Printed page numbers, both included. */
export interface PageRange {
  readonly from: string;
  readonly to: string;
}

export interface ContentsRow {
  readonly heading: Heading;
  readonly pages: readonly PageRange[];
  /** Index of the block to which the row links; null if the row links to no other block. */
  readonly target: number | null;
}

const MIN_ROWS = 4;
/** Maximum number of blocks between two rows of contents, not counting subheadings with a page or link. */
const MAX_GAP = 6;
const MAX_GAP_LENGTH = 250;
const MAX_PAGES_LENGTH = 100;
const MAX_LINE_LENGTH = 60;
/** Words after the title of an item without text. */
const EMPTY_ITEM = /\b(?:none|n\/?a|nil|applicable|inapplicable|omitted|reserved|removed)\b|\*/i;

/** Returns the tables of contents, each from its first to its last row that has a page or link. */
export function findContents(
  blocks: readonly Block[],
  headings: readonly Heading[],
  items: readonly FormItem[],
): ContentsRow[][] {
  const targets = new Map<string, number>();
  for (const [index, { anchors }] of blocks.entries())
    for (const anchor of anchors) if (!targets.has(anchor)) targets.set(anchor, index);
  const order = ({ heading }: ContentsRow) => items.indexOf(heading.items[0] as FormItem);
  const rows = headings.map((heading) => readRow(blocks, heading, targets));
  const runs = divideIntoRuns(
    rows,
    (row, last) => order(row) > order(last) && isNear(blocks, last.heading.end, row.heading.block),
  );
  const tables = runs.map((run) => run.slice(0, run.findLastIndex(isMarked) + 1)).filter(hasPlaces);
  const unlisted = headings.filter(({ block }) => !tables.some((table) => isWithin(table, block)));
  const lists = findPlainLists(blocks, unlisted);
  return [...tables, ...lists.map((list) => list.map((heading) => readRow(blocks, heading, targets)))];
}

export const isWithin = (rows: readonly ContentsRow[], block: number): boolean =>
  block >= (rows[0]?.heading.block ?? 0) && block <= (rows.at(-1)?.heading.block ?? 0);

export const isMarked = ({ pages, target }: ContentsRow): boolean => pages.length > 0 || target !== null;

/** Whether enough rows of a table have pages, or different links. */
function hasPlaces(table: readonly ContentsRow[]): boolean {
  const pages = table.filter((row) => row.pages.length > 0).length;
  const targets = new Set(table.flatMap(({ target }) => target ?? [])).size;
  return Math.max(pages, targets) >= MIN_ROWS;
}

/** Returns lists of numbered headings with at most one short line in between: contents without pages and links. */
function findPlainLists(blocks: readonly Block[], headings: readonly Heading[]): Heading[][] {
  const numbered = headings.filter(({ hasNumber, rest }) => hasNumber && !EMPTY_ITEM.test(rest));
  const lists = divideIntoRuns(numbered, (heading, last, list) => {
    const between = listLinesBetween(blocks, last, heading);
    const isNew = list.every(({ items: [item] }) => item !== heading.items[0]);
    return between.length <= 1 && between.every(isLine) && isNew;
  });
  const lastBlocks = new Map<FormItem, number>();
  for (const { isAlone, items, block } of headings) if (isAlone) for (const item of items) lastBlocks.set(item, block);
  return lists.filter((list) => list.length >= MIN_ROWS && isContents(blocks, list, lastBlocks));
}

/**
 * Whether most items of a list have a heading below the list, or the list continues from Part I to another part with
 * little text. Other lists are not contents but short sections, such as those of Part II of a 10-Q.
 */
function isContents(blocks: readonly Block[], list: readonly Heading[], lastBlocks: ReadonlyMap<FormItem, number>) {
  const end = list.at(-1)?.block ?? 0;
  const below = list.filter(({ items }) => items.some((name) => (lastBlocks.get(name) ?? 0) > end));
  if (below.length * 2 > list.length) return true;
  const parts = new Set(list.map(({ items: [name] }) => name?.part));
  const withText = list.filter((next, at) => at > 0 && listLinesBetween(blocks, list[at - 1], next).length > 0);
  return parts.has('I') && parts.size > 1 && withText.length * 2 < list.length;
}

/** Returns the blocks between two headings, without headings of parts. */
const listLinesBetween = (blocks: readonly Block[], last: Heading | undefined, next: Heading): Block[] =>
  blocks.slice(last?.end ?? next.block, next.block).filter((block) => readPart(block) === null);

/** Whether a block may be a line of contents: a few words, not a sentence. */
const isLine = ({ text }: Block): boolean => text.length <= MAX_LINE_LENGTH && !/[.:]$/.test(text);

function readRow(blocks: readonly Block[], heading: Heading, targets: ReadonlyMap<string, number>): ContentsRow {
  const links = blocks.slice(heading.block, heading.end).flatMap((block) => block.links);
  const target =
    links.map((link) => targets.get(link)).find((index) => index !== undefined && index !== heading.block) ?? null;
  return { heading, pages: readPages(heading.rest), target };
}

/** Whether only short blocks are between two rows, and at most MAX_GAP of the blocks have neither a page nor a link. */
function isNear(blocks: readonly Block[], from: number, to: number): boolean {
  const between = blocks.slice(from, to);
  if (between.some(({ text }) => text.length > MAX_GAP_LENGTH || (text.length > 80 && text.endsWith('.'))))
    return false;
  return between.filter(({ text, links }) => links.length === 0 && readPages(text).length === 0).length <= MAX_GAP;
}

/** Returns the page ranges that end a row: `17`, `F-3`, `4-6, 7-13, 78-80`. */
export function readPages(text: string): PageRange[] {
  const ranges: PageRange[] = [];
  const compact = text.slice(-MAX_PAGES_LENGTH).replace(/\s*[-\u2013\u2014]\s*/g, '-');
  for (const word of compact.split(/[\s,;]+/).reverse()) {
    const [, from, to] = /^\.*((?:[A-Z]{1,2}-)?\d{1,3})(?:-((?:[A-Z]{1,2}-)?\d{1,3}))?$/.exec(word) ?? [];
    if (from !== undefined) ranges.unshift({ from, to: to ?? from });
    else if (!/^(?:and|&|\(?[a-z*]\)|pages?|\.+|\*)?$/i.test(word)) break;
  }
  return ranges;
}
