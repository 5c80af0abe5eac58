/** A parsed JSON object of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maximum length in characters of a text that is parsed without checks: it takes at most fifty megabytes of memory. */
const UNCHECKED_LENGTH = 1_000_000;
/** Maximum depth of objects and arrays. Each byte of deeply nested text takes fifty bytes of memory. */
const MAX_DEPTH = 64;
/**
 * Maximum number of objects, arrays and members, at a hundred bytes of memory each. The largest answers have a
 * quarter of it.
 */
const MAX_PARTS = 2 ** 21;
/** Codes of the characters of JSON syntax. */
const [QUOTE, COLON, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 58, 91, 92, 93, 123, 125];

/**
 * Parses untrusted JSON. Throws a SyntaxError if the text is not JSON, or if it is long and either nested deeper than
 * 64 levels or has so many parts that it would take gigabytes of memory.
 */
export function parseJson(text: string): unknown {
  if (text.length > UNCHECKED_LENGTH) checkParts(text);
  return JSON.parse(text);
}

function checkParts(text: string): void {
  let [depth, parts] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      // Skips texts, whose brackets do not count.
      for (index += 1; index < text.length && text.charCodeAt(index) !== QUOTE; index += 1) {
        if (text.charCodeAt(index) === BACKSLASH) index += 1;
      }
    } else if (code === COLON || code === OPEN_LIST || code === OPEN_OBJECT) {
      parts += 1;
      if (parts > MAX_PARTS) throw new SyntaxError(`it has more than ${MAX_PARTS} parts`);
      if (code !== COLON) depth += 1;
      if (depth > MAX_DEPTH) throw new SyntaxError(`it is nested more than ${MAX_DEPTH} levels deep`);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
}

/** Parses a JSON object; returns null if the text is not JSON, or not an object. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns the value if it is text with at least one character, otherwise null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
