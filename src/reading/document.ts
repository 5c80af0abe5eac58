/** Reads a document of a filing as blocks of visible text, on which all other files of this folder work. */
import type { Block } from './block.ts';
import { readHtmlBlocks } from './html-blocks.ts';
import { findHeadersAndFooters, numberPages } from './pages.ts';
import { readTextBlocks } from './text-blocks.ts';

export type { Block, Cell } from './block.ts';

export interface ReadingDocument {
  readonly fileName: string;
  readonly format: 'html' | 'text';
  /** Number of characters of the source. */
  readonly length: number;
  readonly blocks: readonly Block[];
  /** Indexes of the blocks that are page numbers, or headers and footers that pages repeat. */
  readonly headersAndFooters: ReadonlySet<number>;
}

/**
 * Reads an HTML document or a text-only one (by content, not by name). Bytes are UTF-8 if valid, else windows-1252.
 * Text that a browser would not show is skipped. Throws a Failure (`data`) if the document has too many blocks or
 * elements nested too deeply.
 */
export function readDocument(bytes: Uint8Array, fileName: string): ReadingDocument {
  const source = decode(bytes);
  const isHtml = HTML.test(source.slice(0, 64 * 1024)) && (MARKUP.test(source) || !PLAIN.test(source));
  const blocks = numberPages(isHtml ? readHtmlBlocks(source, fileName) : readTextBlocks(source));
  const format = isHtml ? 'html' : 'text';
  return { fileName, format, length: source.length, blocks, headersAndFooters: findHeadersAndFooters(blocks) };
}

const HTML = /<(?:!doctype html|html|body|div|p|br|font)[\s>]/i;
/** Tags that plain-text filings do not have. Some plain-text filings are wrapped in one HTML element. */
const MARKUP = /<(?!(?:html|head|meta|title|body|div|table|caption|s|c|page)\b)[a-z]|<div.*<div/is;

/** Signs of plain text: the SEC's tags for pages and tables, or paragraphs after blank lines. */
const PLAIN = /<(?:page|s|c)>|\n[ \t\r]{0,9}\n[ \t]{0,99}[^<\s]/i;

/** The characters of bytes 0x80 to 0x9f. Node.js decodes them as control characters, even as windows-1252. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    return text.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80));
  }
}
