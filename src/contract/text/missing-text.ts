/** Texts that the HTTP API requires but a service sent as null or omitted. */

export const MISSING_TEXT_PLACEHOLDER = '–';

/** Number of missing texts by field path, such as `axes[].measures[].unit`. */
export type MissingTextCounts = Map<string, number>;

/** Maximum number of fields that a message lists. */
const MAX_FIELDS = 8;

/**
 * Returns a sentence that lists the fields. A field that lacks several texts is listed with their number:
 * `members[].label (3 times)`.
 */
export function describeMissingTexts(missing: readonly (readonly [path: string, count: number])[]): string {
  const fields = missing.slice(0, MAX_FIELDS).map(([path, times]) => (times === 1 ? path : `${path} (${times} times)`));
  const more = missing.length > MAX_FIELDS ? ` and ${missing.length - MAX_FIELDS} more` : '';
  return `The response lacks required text, shown as "${MISSING_TEXT_PLACEHOLDER}", in ${fields.join(', ')}${more}.`;
}
