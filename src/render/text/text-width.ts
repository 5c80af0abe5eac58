/** Measures the width of text in terminal columns, and cuts text to a width. */
import stringWidth from 'string-width';
import { wrapWords } from './wrap.ts';

/** ASCII, and the dash and ellipsis that fin prints: each character is one column wide. */
const SINGLE_WIDTH_PATTERN = /^[\x20-\x7e\u2013\u2026]*$/;

export const measureWidth = (text: string) => (SINGLE_WIDTH_PATTERN.test(text) ? text.length : stringWidth(text));

/** Cuts text to at most `width` columns; cut text ends with an ellipsis. */
export function truncate(text: string, width: number): string {
  if (measureWidth(text) <= width) return text;
  const kept = SINGLE_WIDTH_PATTERN.test(text)
    ? text.slice(0, width - 1)
    : takeCharacters(splitCharacters(text), width - 1).join('');
  return `${kept.trimEnd()}…`;
}

/** Cuts text in the middle to at most `width` columns, for long names that differ at their ends. */
export function cutMiddle(text: string, width: number): string {
  if (measureWidth(text) <= width) return text;
  const chars = splitCharacters(text);
  const end = takeCharacters(chars.toReversed(), Math.floor((width - 1) / 2)).reverse();
  return `${takeCharacters(chars, width - 1 - measureWidth(end.join(''))).join('')}…${end.join('')}`;
}

/** Returns the longest prefix that fits into `width` columns. */
function takeCharacters(chars: readonly string[], width: number): string[] {
  const kept: string[] = [];
  let takenWidth = 0;
  for (const char of chars) {
    takenWidth += measureWidth(char);
    if (takenWidth > width) break;
    kept.push(char);
  }
  return kept;
}

/**
 * Splits text into grapheme clusters, so that an accent is never separated from its letter, and a flag is never
 * divided.
 */
function splitCharacters(text: string): string[] {
  if (SINGLE_WIDTH_PATTERN.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

let segmenter: Intl.Segmenter | undefined;

export function padText(text: string, width: number, align: 'left' | 'right'): string {
  const padding = ' '.repeat(Math.max(0, width - measureWidth(text)));
  return align === 'right' ? padding + text : text + padding;
}

/**
 * Wraps text to lines of at most `width` columns, but does not divide longer words; returns one line if `width` is
 * null.
 */
export const wrap = (text: string, width: number | null): string[] =>
  width === null || measureWidth(text) <= width ? [text] : wrapWords(text, width, measureWidth);

/**
 * Wraps text like `wrap`, but also breaks words that are too long: before a capital letter if possible, as in names of
 * XBRL concepts.
 */
export const wrapAndBreakWords = (text: string, width: number): string[] =>
  wrap(text, width).flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (measureWidth(rest) > width) {
      const fitting = takeCharacters(splitCharacters(rest), width).join('');
      const length = /^.*[^A-Z](?=[A-Z])/u.exec(rest.slice(0, fitting.length + 1))?.[0].length ?? 0;
      const end = length > fitting.length / 2 ? Math.min(length, fitting.length) : fitting.length;
      lines.push(rest.slice(0, end));
      rest = rest.slice(end);
    }
    return [...lines, rest];
  });
