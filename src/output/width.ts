/** How many columns of a terminal a text takes, and texts cut to fit. */
import stringWidth from 'string-width';
import { wrapWords } from './wrap.ts';

const ASCII = /^[\x20-\x7e]*$/;

export function displayWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** The text in at most `width` columns; what was cut is shown by an ellipsis. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let taken = 0;
  for (const character of text) {
    const wide = displayWidth(character);
    if (taken + wide > width - 1) break;
    kept += character;
    taken += wide;
  }
  return `${kept}…`;
}

export function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'right' ? space + text : text + space;
}

/** Lines of at most `width` columns; one line where there is no width to keep. */
export function wrap(text: string, width: number | null): string[] {
  return width === null || displayWidth(text) <= width ? [text] : wrapWords(text, width, displayWidth);
}
