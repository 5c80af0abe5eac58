/**
 * Text in SVG, which does not wrap lines. Fonts cannot be measured here, so text widths are estimated, usually too
 * large.
 */
import { measureWidth, truncate } from '../text/text-width.ts';
import { wrapWords } from '../text/wrap.ts';
import { type Markup, type MarkupContent, makeElement } from './markup.ts';

/** Maximum width of a usual character as a fraction of the font size. */
const MAX_CHARACTER_WIDTH_RATIO = 0.62;

export const estimateWidth = (text: string, size: number) => measureWidth(text) * size * MAX_CHARACTER_WIDTH_RATIO;

export const shorten = (text: string, size: number, width: number): string =>
  truncate(text, Math.max(4, Math.floor(width / (size * MAX_CHARACTER_WIDTH_RATIO))));

/** Wraps text to lines; also breaks words that are longer than a line, such as addresses. */
export function wrapToLines(text: string, size: number, width: number): string[] {
  const max = Math.floor(width / (size * MAX_CHARACTER_WIDTH_RATIO));
  return wrapWords(text, max, measureWidth).flatMap((line) => breakLine(line, max));
}

function breakLine(line: string, count: number): string[] {
  if (measureWidth(line) <= count) return [line];
  const parts = [''];
  for (const letter of line) {
    const last = parts.at(-1) ?? '';
    if (measureWidth(last + letter) <= count) parts[parts.length - 1] = last + letter;
    else parts.push(letter);
  }
  return parts;
}

export interface SvgTextStyle {
  readonly size: number;
  readonly look?: 'fin-ink' | 'fin-quiet' | 'fin-mark-text';
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
}

export function drawTextAt(text: string, x: number, y: number, style: SvgTextStyle): Markup {
  const { size, look = 'fin-ink', anchor = 'start', bold = false } = style;
  const [textAnchor, weight] = [anchor === 'start' ? null : anchor, bold ? 'bold' : null];
  const font = { 'font-size': size, 'text-anchor': textAnchor, 'font-weight': weight };
  return makeElement('text', { x, y, class: look, ...font }, text);
}

/** Draws text on an opaque background, so that no line crosses it. */
export const drawTextOnBackground = (text: string, x: number, y: number, look: SvgTextStyle): MarkupContent => {
  const width = estimateWidth(text, look.size);
  const leftX = look.anchor === 'middle' ? x - width / 2 : look.anchor === 'end' ? x - width : x;
  const attributes = { x: leftX, y: y - look.size + 1, width, height: look.size + 2, class: 'fin-paper' };
  return [makeElement('rect', attributes), drawTextAt(text, x, y, look)];
};
