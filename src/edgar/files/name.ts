/** Validates names of companies, securities and exchanges in public files. */
import { toNonEmptyText } from '../../platform/json-object.ts';

/**
 * Maximum number of characters: three times the longest real name. Rows store copies of names, so a longer name could
 * take much memory.
 */
const MAX_NAME_LENGTH = 500;

/** Returns the value if it is a text short enough for a name; otherwise null. */
export function toName(value: unknown): string | null {
  const text = toNonEmptyText(value);
  return text === null || text.length > MAX_NAME_LENGTH ? null : text;
}

/** Returns the text on one line, with single spaces. */
export const collapseSpaces = (text: string): string =>
  /\s(?:\s|$)|^\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
