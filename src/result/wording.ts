/** Counts, sizes and times in sentences and tables. */

/** "1 row", "2 rows". */
export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number} ${number === 1 ? singular : plural}`;

const INSTANT_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

/**
 * Formats a date-time as `2026-05-20 10:05:00 UTC`, whatever offset it was sent with. Text that is not a date-time with
 * an offset is returned unchanged, and null for null.
 */
export function formatInstant(instant: string | null | undefined): string | null {
  const time = INSTANT_PATTERN.test(instant ?? '') ? Date.parse(instant ?? '') : Number.NaN;
  if (Number.isNaN(time)) return instant ?? null;
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Returns `1.4 GB`: rounded, for people. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const scaledSize = bytes / 1000 ** power;
  return `${scaledSize < 10 && power > 0 ? scaledSize.toFixed(1) : Math.round(scaledSize)} ${UNITS[power]}`;
}
