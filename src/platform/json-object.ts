/** A parsed JSON object of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maximum number of characters that are parsed without checks; parsing them takes at most 50 MB of memory. */
const MAX_UNCHECKED_LENGTH = 1_000_000;
/** Maximum nesting depth of long text. Each byte of deeply nested text takes fifty bytes of memory. */
const MAX_DEPTH = 64;
/**
 * Maximum number of objects, arrays, members and elements in long text, each of which takes up to a hundred bytes of
 * memory. The largest responses have a quarter of this number.
 */
const MAX_PARTS = 2 ** 21;
/** Character codes of JSON syntax. */
const [QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 91, 92, 93, 123, 125];

/** The byte order mark, which readers of JSON may ignore (https://www.rfc-editor.org/rfc/rfc8259#section-8.1). */
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Parses untrusted JSON, without regard to a byte order mark. Throws a SyntaxError if the text is not JSON, and for
 * long text that exceeds MAX_DEPTH or MAX_PARTS, because parsing such text might take gigabytes of memory.
 */
export function parseJson(text: string): unknown {
  if (text.length > MAX_UNCHECKED_LENGTH) checkPartsAndDepth(text);
  return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
}

function checkPartsAndDepth(text: string): void {
  let [depth, count] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Skips strings, because brackets in strings do not count.
    if (code === QUOTE) index = findStringEnd(text, index);
    else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) {
      count += 1;
      if (count > MAX_PARTS) throw new SyntaxError(`it has more than ${MAX_PARTS} values`);
      if (code !== COMMA) depth += 1;
      if (depth > MAX_DEPTH) throw new SyntaxError(`it is nested more than ${MAX_DEPTH} levels deep`);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
}

/** Returns the index of the quotation mark that ends the string; at least the text's length if the mark is missing. */
function findStringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== QUOTE) index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  return index;
}

/** Parses a JSON object; returns null if the text is not JSON or not an object. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export const toNonEmptyText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
