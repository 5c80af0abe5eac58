/**
 * Text from filings and services is foreign: on a terminal, control characters could move the cursor,
 * recolour the screen or set its title, and bidi overrides could show digits in another order.
 */

/** Control characters (C0, DEL, C1), format characters (bidi, zero width, tags) and the line separators. */
const HARMFUL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const PLAIN = /^[\x20-\x7e]*$/;

/** The text on one line, with what could act on a terminal replaced by `�`; breaks and tabs become spaces. */
export function sanitize(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(/\r\n|[\r\n\t\v\f]/g, ' ').replace(HARMFUL, '�');
}

/** The same JSON with such characters escaped; line breaks and tabs between values stay. */
export function sanitizeJson(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (found) => (/[\n\r\t]/.test(found) ? found : escaped(found)));
}

const escaped = (found: string): string =>
  [...Array(found.length).keys()]
    .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
