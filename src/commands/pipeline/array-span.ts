/** Finds an array in a JSON text without reading it, so that what stands in it can be passed on to the byte. */

export interface Span {
  /** Right behind the opening bracket, and at the closing one. */
  readonly start: number;
  readonly end: number;
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs;

/**
 * @param json a text that JSON.parse takes
 * @param path names of the objects' fields that lead to the array
 * @returns null where no array stands there; of a field given twice the last, as JSON.parse has it
 */
export function arraySpan(json: string, path: readonly string[]): Span | null {
  /** The field that each open object is at; null for an open array. */
  const open: (string | null)[] = [];
  let awaitsName = false;
  let start = -1;
  let found: Span | null = null;
  const isThere = (): boolean => open.length === path.length && path.every((name, index) => open[index] === name);
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      if (token === '[' && isThere()) start = index + 1;
      open.push(token === '{' ? '' : null);
      awaitsName = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      if (token === ']' && start >= 0 && isThere()) {
        found = { start, end: index };
        start = -1;
      }
    } else if (token === ',') {
      awaitsName = open.at(-1) !== null;
    } else if (awaitsName) {
      open[open.length - 1] = JSON.parse(token);
      awaitsName = false;
    }
  }
  return found;
}
