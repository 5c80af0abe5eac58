/** Formats counts, sizes and times for sentences and tables. */

/** Formats a count with its noun: "1 row", "2 rows". */
export const formatCount = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : plural}`;

const INSTANT_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

/**
 * Formats a date-time in UTC, such as `2026-05-20 10:05:00 UTC`. Text without a UTC offset is returned unchanged; null
 * is returned for null.
 */
export function formatInstant(instant: string | null | undefined): string | null {
  const time = INSTANT_PATTERN.test(instant ?? '') ? Date.parse(instant ?? '') : Number.NaN;
  if (Number.isNaN(time)) return instant ?? null;
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size rounded for people, such as `1.4 GB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** power;
  return `${size < 10 && power > 0 ? size.toFixed(1) : Math.round(size)} ${BYTE_UNITS[power]}`;
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const lowercaseFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
