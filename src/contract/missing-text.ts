/** Texts that the interface requires and a service left out: null or absent. */

/** Shown in their place. */
export const MISSING_TEXT = '–';

/** Number of missing texts by the path of their field, such as `axes[].measures[].unit`. */
export type MissingTexts = Map<string, number>;

/** Longer lists of fields are cut. */
const MAX_FIELDS = 8;

/** A sentence that names the fields, and how many texts of each are missing. */
export function describeMissing(missing: readonly (readonly [path: string, count: number])[]): string {
  const named = missing.slice(0, MAX_FIELDS).map(([path, count]) => `${path} (${count})`);
  const others = missing.length > MAX_FIELDS ? ` and ${missing.length - MAX_FIELDS} other fields` : '';
  return `The service left out ${named.join(', ')}${others}, which the interface requires; shown as ${MISSING_TEXT}.`;
}
