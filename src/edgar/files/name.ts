/** Names in public files: of companies, securities, exchanges. */
import { textOf } from '../../platform/json-object.ts';

/**
 * Maximum number of characters. The longest names of filers have a third; a longer one is an error, and every row
 * would have a copy.
 */
const MAX_NAME_LENGTH = 500;

/** Returns the value if it is a text that may be a name, otherwise null. */
export function nameOf(value: unknown): string | null {
  const text = textOf(value);
  return text === null || text.length > MAX_NAME_LENGTH ? null : text;
}
