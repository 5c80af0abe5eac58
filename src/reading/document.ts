/** A document of a filing, as blocks of visible text: what all other files of this room read. */
import type { Block } from './block.ts';
import { htmlBlocks } from './html-blocks.ts';
import { findFurniture, numberPages } from './pages.ts';
import { textBlocks } from './text-blocks.ts';

export type { Block, Cell } from './block.ts';

export interface ReadingDocument {
  readonly fileName: string;
  readonly format: 'html' | 'text';
  /** Number of characters of the source. */
  readonly length: number;
  readonly blocks: readonly Block[];
  /** Indexes of the blocks that are page numbers, or headers and footers that pages repeat. */
  readonly furniture: ReadonlySet<number>;
}

/**
 * Reads an HTML document or a text-only one (by content, not by name). Bytes are UTF-8 if valid, else windows-1252.
 * Text that a browser would not show is skipped. Throws a Failure (`data`) above the bounds of depth or blocks.
 */
export function readDocument(bytes: Uint8Array, fileName: string): ReadingDocument {
  const source = decode(bytes);
  const isHtml = HTML.test(source.slice(0, 64 * 1024)) && (MARKUP.test(source) || !PLAIN.test(source));
  const blocks = numberPages(isHtml ? htmlBlocks(source, fileName) : textBlocks(source));
  const format = isHtml ? 'html' : 'text';
  return { fileName, format, length: source.length, blocks, furniture: findFurniture(blocks) };
}

const HTML = /<(?:!doctype html|html|body|div|p|br|font)[\s>]/i;
/** Tags that plain-text filings do not have. A program may put such a filing into one element of HTML. */
const MARKUP = /<(?!(?:html|head|meta|title|body|div|table|caption|s|c|page)\b)[a-z]|<div.*<div/is;

/** Plain text: the SEC's tags for its pages and tables, or paragraphs after blank lines. */
const PLAIN = /<(?:page|s|c)>|\n[ \t\r]{0,9}\n[ \t]{0,99}[^<\s]/i;

/** The characters of bytes 0x80 to 0x9f, which Node.js' own decoder of windows-1252 takes as control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    return text.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80));
  }
}
