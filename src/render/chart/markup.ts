/**
 * Elements of XML and HTML. `makeElement` escapes all text, so that text from filings cannot become markup. Other
 * modules call `new Markup` only for constant text.
 */

import type { Decimal } from '../../contract/decimal-text.ts';
import { sanitize } from '../text/sanitize.ts';

export class Markup {
  constructor(readonly text: string) {}
}

export type MarkupContent = Markup | string | readonly MarkupContent[];

type Attributes = Readonly<Record<string, string | number | null>>;

/** Returns an element. Omits attributes that are null; rounds numbers, which are coordinates, to two decimals. */
export function makeElement(name: string, attributes: Attributes, ...content: readonly MarkupContent[]): Markup {
  const texts = Object.entries(attributes).map(([key, value]) => (value === null ? '' : formatAttribute(key, value)));
  const [start, inner] = [`<${name}${texts.join('')}`, content.map(toMarkupText).join('')];
  return new Markup(inner === '' && EMPTY_ELEMENTS.has(name) ? `${start}/>` : `${start}>${inner}</${name}>`);
}

const formatAttribute = (key: string, value: string | number): string =>
  ` ${key}="${typeof value === 'number' ? formatRounded(value) : escapeText(value)}"`;

/** Returns an element without attributes. */
export const wrapIn = (name: string, ...content: readonly MarkupContent[]): Markup => makeElement(name, {}, ...content);

/** Draws a straight line in SVG. */
export const makeLineElement = (
  [x1, x2]: readonly [number, number],
  [y1, y2]: readonly [number, number],
  look: string,
  attributes: Attributes = {},
): Markup => makeElement('line', { x1, x2, y1, y2, class: look, ...attributes });

/**
 * Elements without content, written as self-closing tags, which HTML and XML both accept. All other elements get an end
 * tag, as HTML requires.
 */
const EMPTY_ELEMENTS: ReadonlySet<string> = new Set(['meta', 'rect', 'line', 'circle', 'path']);

function toMarkupText(content: MarkupContent): string {
  if (content instanceof Markup) return content.text;
  return typeof content === 'string' ? escapeText(content) : content.map(toMarkupText).join('');
}

/**
 * Escapes text for markup. Also replaces control characters, lone surrogates and noncharacters, which XML forbids even
 * in escaped form.
 */
const escapeText = (text: string): string =>
  sanitize(text)
    .replace(/[\p{Cs}\ufffe\uffff]/gu, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const formatRounded = (value: number): string => String(Math.round(value * 100) / 100);

/** A chart as SVG content, before it is placed in an SVG document or HTML page. */
export interface Plot {
  readonly height: number;
  /** Text alternative that describes the chart. */
  readonly description: string;
  readonly content: MarkupContent;
  readonly table: ValueTable;
}

export interface ValueTable {
  readonly head: readonly string[];
  readonly rows: readonly { readonly name: string; readonly values: readonly (Decimal | null)[] }[];
}
