/**
 * JSON text whose figures keep their digits.
 *
 * JSON.parse turns a number into a double and loses digits, so every number under a key `val` is quoted
 * first and comes out as text. The pattern cannot match inside a string: there the quote before the
 * colon would be escaped.
 */
const FIGURE = /"val"\s*:\s*(-?\d[^,}\]\s]*)/g;

/** The parsed document, with each number under a key `val` as a string of the digits as filed. Throws SyntaxError on text that is not JSON. */
export function parseFigures(text: string): unknown {
  return JSON.parse(text.replace(FIGURE, '"val":"$1"'));
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text under a key, or null where it is missing, empty or not text. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A CIK as a number, from the number, bare or zero-padded text of the files; null when it is none. */
export function cikOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return null;
  const cik = Number(text);
  return cik > 0 ? cik : null;
}
