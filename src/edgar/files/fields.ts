/** Reads fields that several public files have: names, CIKs and industry codes. */

import { parseCik } from '../../contract/identifiers.ts';
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

/** Returns the CIK of a number, or of text with or without leading zeros; null if the value is not a CIK. */
export function toCik(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? parseCik(text) : null;
}

/**
 * Returns an industry code (SIC) with its leading zero, which some sources omit. Null if the text is not a code, and for
 * 0000, which means unknown.
 */
export const parseSic = (text: string | null): string | null =>
  text !== null && /^\d{3,4}$/.test(text) && Number(text) > 0 ? text.padStart(4, '0') : null;
