/** Reads the numbers printed on pages from a chain: footers or headers whose numbers rise through the document. */
import { groupBy } from '../platform/collections.ts';
import type { Block } from './block.ts';

/** The number in a block that may be a page number: `12`, `F-12`, `12 | Apple Inc.`. */
interface PageNumber {
  readonly block: number;
  /** `F-` of `F-12`, or empty. */
  readonly prefix: string;
  readonly number: number;
  /** The block's text without the number, which footers repeat. */
  readonly key: string;
}

const MAX_FOOTER_LENGTH = 120;
const MIN_REPEATS = 3;
/** Minimum fraction of pages with the same running header. Low, because each section may have its own header. */
const MIN_PAGES_FRACTION = 0.1;
const MIN_CHAIN = 4;
/**
 * Possible differences between consecutive numbers of a chain. Some pages have no number, or one that cannot be read.
 */
const GAPS = [1, 2, 3, 4];
/** Amounts, units and periods of a table at the edge of a page: text that repeats but is not a header or footer. */
const TABLE_TEXT =
  /^[^a-z]*#[^a-z]*$|\$|^.{0,40}\b(?:in (?:millions|thousands|billions)|(?:years?|months|weeks|quarters?) ended)\b.{0,40}$/;
/** A key that has only a number (as `#`), such as `- # -`. */
const PAGE_NUMBER = /^[-\u2013\u2014|.\s]*(?:page )?#[-\u2013\u2014|.\s]*$/;
/** Number of blocks between a number and the edge of its page. */
const EDGE = 3;

/** Sets the page of each block for which printed numbers are found. */
export function numberPages(blocks: Block[]): Block[] {
  const byKey = groupBy(blocks.flatMap(readPageNumbers), ({ key }) => key);
  const repeatedNumbers = [...byKey.values()].filter(({ length }) => length >= MIN_REPEATS).flat();
  for (const numbers of groupBy(repeatedNumbers, ({ prefix }) => prefix).values()) {
    const chain = findLongestChain(numbers.toSorted((a, b) => a.block - b.block));
    if (chain.length >= MIN_CHAIN) setPages(blocks, chain);
  }
  return blocks;
}

/** Returns the first and the last word of a short block as possible page numbers. */
function readPageNumbers(block: Block, index: number): PageNumber[] {
  if (block.text.length > MAX_FOOTER_LENGTH || block.cells.length > 3) return [];
  const words = block.text.split(/[\s|]/).filter((word) => /[a-z0-9]/i.test(word));
  return [...new Set([words[0], words.at(-1)])].flatMap((word = '') => {
    const [, prefix = '', digits] = /^[-\u2013\u2014]?([A-Z]{0,2}-?)(\d{1,3})[-\u2013\u2014]?$/.exec(word) ?? [];
    const key = words.filter((other) => other !== word).join(' ');
    if (digits === undefined || /^(?:items?|part|notes?|exhibit)$/i.test(key)) return [];
    return [{ block: index, prefix, number: Number(digits), key }];
  });
}

/** Returns the longest chain of numbers that rise in the order of the blocks. */
function findLongestChain(numbers: readonly PageNumber[]): PageNumber[] {
  interface Link {
    readonly page: PageNumber;
    readonly length: number;
    readonly previous: Link | undefined;
  }
  const findLongest = (links: readonly Link[]): Link | undefined =>
    links.reduce<Link | undefined>((best, link) => (link.length > (best?.length ?? 0) ? link : best), undefined);
  const byNumber = new Map<number, Link>();
  const links = numbers.map((page) => {
    const candidates = GAPS.flatMap((gap) => byNumber.get(page.number - gap) ?? []);
    const previous = findLongest(candidates.filter((link) => link.page.block < page.block));
    const link: Link = { page, length: (previous?.length ?? 0) + 1, previous };
    if (link.length >= (byNumber.get(page.number)?.length ?? 0)) byNumber.set(page.number, link);
    return link;
  });
  const chain: PageNumber[] = [];
  for (let link = findLongest(links); link !== undefined; link = link.previous) chain.unshift(link.page);
  return chain;
}

function setPages(blocks: readonly Block[], chain: readonly PageNumber[]): void {
  const footers = chain.filter(({ block }) => blocks[block + 1]?.newPage === true).length;
  const headers = chain.filter(({ block }) => blocks[block]?.newPage === true).length;
  // Without page breaks, a number at the document's beginning is a header.
  const isFooter = footers === headers ? (chain[0]?.block ?? 0) > 1 : footers > headers;
  for (const [index, { block, prefix, number }] of chain.entries()) {
    const neighbor = chain[isFooter ? index - 1 : index + 1];
    const isNext = neighbor !== undefined && Math.abs(neighbor.number - number) === 1;
    const isBreak = (other: Block, at: number): boolean => other.newPage && (isFooter ? at <= block : at > block);
    const from = isNext ? neighbor.block + 1 : Math.max(blocks.findLastIndex(isBreak), neighbor?.block ?? 0);
    const end = isNext ? neighbor.block : blocks.findIndex(isBreak);
    const [first, until] = isFooter ? [from, block + 1] : [block, end === -1 ? blocks.length : end];
    for (const other of blocks.slice(first, until)) other.page = prefix + number;
  }
}

/** Returns the indexes of headers and footers that pages repeat, and of page numbers. */
export function findHeadersAndFooters(blocks: readonly Block[]): ReadonlySet<number> {
  const edges = blocks.flatMap((block, index) =>
    isPageEdge(blocks, index) && block.text.length <= MAX_FOOTER_LENGTH ? [index] : [],
  );
  const keyOf = (index: number): string => (blocks[index]?.text ?? '').toLowerCase().replace(/\d+/g, '#');
  const byKey = groupBy(edges, keyOf);
  const pages = blocks.filter(({ newPage }) => newPage).length;
  const isRepeated = (key: string, count: number): boolean =>
    count >= Math.max(MIN_REPEATS, pages * MIN_PAGES_FRACTION) && !key.endsWith('.') && !TABLE_TEXT.test(key);
  const isNumber = (index: number) => PAGE_NUMBER.test(keyOf(index)) || blocks[index]?.text === blocks[index]?.page;
  const repeated = new Set(
    [...byKey].flatMap(([key, indexes]) => (isRepeated(key, indexes.length) ? indexes : indexes.filter(isNumber))),
  );
  // A row of a table that has other rows is not a page number, but for example a year or a total.
  const tables = new Set(blocks.flatMap(({ table }, index) => (table > 0 && !repeated.has(index) ? [table] : [])));
  return new Set([...repeated].filter((index) => !tables.has(blocks[index]?.table ?? 0)));
}

/** Whether a page begins or ends within two blocks. */
function isPageEdge(blocks: readonly Block[], index: number): boolean {
  return blocks.slice(Math.max(0, index - EDGE + 2), index + EDGE).some(({ newPage, page }, at) => {
    const previous = blocks[Math.max(0, index - EDGE + 2) + at - 1];
    return newPage || (previous !== undefined && page !== previous.page);
  });
}
