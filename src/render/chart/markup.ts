/**
 * Elements of XML and HTML. Only `element` creates markup; all text is escaped here, so that no text of a filing can
 * become markup.
 */
import { sanitize } from '../sanitize.ts';

export class Markup {
  constructor(readonly text: string) {}
}

export type Content = Markup | string | readonly Content[];

type Attributes = Readonly<Record<string, string | number | null>>;

/** Leaves out attributes that are null; numbers, which are coordinates, have at most two decimals. */
export function element(name: string, attributes: Attributes, ...content: readonly Content[]): Markup {
  const attributeText = Object.entries(attributes)
    .map(([key, value]) =>
      value === null ? '' : ` ${key}="${typeof value === 'number' ? roundedText(value) : escapeText(value)}"`,
    )
    .join('');
  const innerText = content.map(markupOf).join('');
  return new Markup(
    innerText === ''
      ? `<${name}${attributeText}${EMPTY_ELEMENTS.has(name) ? '/>' : `></${name}>`}`
      : `<${name}${attributeText}>${innerText}</${name}>`,
  );
}

/** Elements without content, which end themselves in HTML and in XML; all others have an end tag, as HTML requires. */
const EMPTY_ELEMENTS: ReadonlySet<string> = new Set(['meta', 'rect', 'line', 'circle', 'path']);

function markupOf(content: Content): string {
  if (content instanceof Markup) return content.text;
  return typeof content === 'string' ? escapeText(content) : content.map(markupOf).join('');
}

/** XML does not allow control characters, lone surrogates and noncharacters, not even escaped. */
const escapeText = (text: string): string =>
  sanitize(text)
    .replace(/[\p{Cs}\ufffe\uffff]/gu, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const roundedText = (value: number): string => String(Math.round(value * 100) / 100);
