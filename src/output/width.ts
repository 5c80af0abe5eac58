/** How many columns of a terminal a text takes, and texts cut to fit. */
import stringWidth from 'string-width';

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

/** Lines of at most `width` columns, broken between words; one line where there is no width to keep. */
export function wrap(text: string, width: number | null): string[] {
  if (width === null || displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + 1 + displayWidth(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
