/** The text of an item, of pages or of a whole document, as plain text or Markdown. */
import { divideIntoRuns } from '../platform/collections.ts';
import type { Block } from './block.ts';
import type { ReadingDocument } from './document.ts';
import { readPart } from './headings.ts';
import type { Item } from './items.ts';
import { markdownTable, textTable } from './tables.ts';

/** `text`: a line per paragraph, tables in aligned columns. `markdown`: text only, escaped; no links, images or HTML. */
export type TextFormat = 'text' | 'markdown';

/**
 * Returns the text between an item's bounds, or of the whole document for null, without page numbers and running headers.
 * Throws a RangeError for an item without bounds (`refused` or `page_ranges`).
 */
export function sectionText(document: ReadingDocument, item: Item | null, format: TextFormat): string {
  if (item === null) return blocksText(document, 0, document.blocks.length, format);
  if (item.start === null || item.end === null) throw new RangeError(`item ${item.item} has no bounds`);
  return blocksText(document, item.start.block, item.end.block, format);
}

/** Returns the text of printed pages, both included (`46`, `F-3`); null if the document has not both page numbers. */
export function pagesText(document: ReadingDocument, from: string, to: string, format: TextFormat): string | null {
  const start = document.blocks.findIndex(({ page }) => page === from);
  const last = document.blocks.findLastIndex(({ page }) => page === to);
  return start === -1 || last < start ? null : blocksText(document, start, last + 1, format);
}

function blocksText({ blocks, furniture }: ReadingDocument, from: number, end: number, format: TextFormat): string {
  // The heading of the next part belongs to no section.
  const isContent = (block: Block, index: number): boolean => !furniture.has(index) && readPart(block) === null;
  const last = blocks.findLastIndex((block, index) => index < end && isContent(block, index));
  const content = blocks.slice(from, last + 1).filter((_, index) => !furniture.has(from + index));
  const groups = divideIntoRuns(
    content,
    (block, last) => block.kind !== 'text' && block.kind === last.kind && block.table === last.table,
  );
  return groups.map((group) => groupText(group, format)).join('\n\n');
}

/** Returns the text of one paragraph, or of the rows or lines of one table. */
function groupText(group: readonly Block[], format: TextFormat): string {
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
