/** Writes an item, pages or a whole document as plain text or Markdown. */
import { divideIntoRuns } from '../platform/collections.ts';
import type { Block } from './block.ts';
import type { ReadingDocument } from './document.ts';
import { readPart } from './headings.ts';
import type { Item } from './items.ts';
import { markdownTable, textTable } from './tables.ts';

/**
 * `text`: a line per paragraph, tables in aligned columns. `markdown`: text only, escaped; no links, images or HTML.
 */
export type TextFormat = 'text' | 'markdown';

/**
 * Returns the text between an item's bounds, without page numbers and running headers; for null, of the whole document.
 * Throws a RangeError for an item without bounds (`refused` or `page_ranges`).
 */
export function sectionText(document: ReadingDocument, item: Item | null, format: TextFormat): string {
  if (item === null) return writeBlocks(document, 0, document.blocks.length, format);
  if (item.start === null || item.end === null) throw new RangeError(`item ${item.item} has no bounds`);
  return writeBlocks(document, item.start.block, item.end.block, format);
}

/**
 * Returns the text of printed pages, both included (`46`, `F-3`); null if the document lacks one of the page numbers.
 */
export function pagesText(document: ReadingDocument, from: string, to: string, format: TextFormat): string | null {
  const start = document.blocks.findIndex(({ page }) => page === from);
  const last = document.blocks.findLastIndex(({ page }) => page === to);
  return start === -1 || last < start ? null : writeBlocks(document, start, last + 1, format);
}

function writeBlocks({ blocks, headersAndFooters }: ReadingDocument, from: number, end: number, format: TextFormat) {
  // The heading of the next part, before the next item, does not belong to the section.
  const isContent = (block: Block, index: number): boolean => !headersAndFooters.has(index) && readPart(block) === null;
  const last = blocks.findLastIndex((block, index) => index < end && isContent(block, index));
  const content = blocks.slice(from, last + 1).filter((_, index) => !headersAndFooters.has(from + index));
  const groups = divideIntoRuns(
    content,
    (block, last) => block.kind !== 'text' && block.kind === last.kind && block.table === last.table,
  );
  return groups.map((group) => writeGroup(group, format)).join('\n\n');
}

/** Returns the text of one paragraph, or of the rows or lines of one table. */
function writeGroup(group: readonly Block[], format: TextFormat): string {
  const [first] = group;
  if (first?.kind === 'row') return format === 'text' ? textTable(group) : markdownTable(group, escapeMarkdown);
  const texts = group.map(({ text }) => text);
  if (format === 'text') return texts.join('\n');
  if (first?.kind === 'line') return texts.map((text) => `    ${escapeMarkdown(text)}`).join('\n');
  return texts.map((text) => escapeStart(escapeMarkdown(text))).join('\n');
}

/** Escapes what Markdown or its renderers would read as markup, HTML or an address. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>|~@]/g, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/\bwww\./gi, 'www\\.');

const escapeStart = (text: string): string => text.replace(/^[#+-]/, '\\$&').replace(/^\d{1,9}(?=[.)])/, '$&\\');
