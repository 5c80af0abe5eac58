/**
 * Elements of XML and HTML. Text is escaped here and nowhere else: only what `element` returns is taken as markup, so
 * no text of a filing can become any.
 */
import { sanitize } from '../sanitize.ts';

export class Markup {
  constructor(readonly text: string) {}
}

export type Content = Markup | string | readonly Content[];

type Attributes = Readonly<Record<string, string | number | null>>;

/** An attribute of null is left out; numbers, which are coordinates, have two places at most. */
export function element(name: string, attributes: Attributes, ...content: readonly Content[]): Markup {
  const written = Object.entries(attributes)
    .map(([key, value]) =>
      value === null ? '' : ` ${key}="${typeof value === 'number' ? round(value) : escaped(value)}"`,
    )
    .join('');
  const inner = content.map(markupOf).join('');
  return new Markup(
    inner === ''
      ? `<${name}${written}${EMPTY.has(name) ? '/>' : `></${name}>`}`
      : `<${name}${written}>${inner}</${name}>`,
  );
}

/** Elements that end themselves, in HTML as in XML; all others have an end of their own, as HTML wants it. */
const EMPTY: ReadonlySet<string> = new Set(['meta', 'rect', 'line', 'circle', 'path']);

function markupOf(content: Content): string {
  if (content instanceof Markup) return content.text;
  return typeof content === 'string' ? escaped(content) : content.map(markupOf).join('');
}

/** XML has no place for control characters, lone surrogates and noncharacters, not even escaped. */
const escaped = (text: string): string =>
  sanitize(text)
    .replace(/[\p{Cs}\ufffe\uffff]/gu, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const round = (value: number): string => String(Math.round(value * 100) / 100);
