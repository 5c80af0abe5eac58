/** Counts, sizes and instants in sentences and tables. */

/** "1 row", "2 rows". */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** A date-time without fractions of a second; null where there is none. */
export const formatInstant = (instant: string | null | undefined): string | null =>
  instant == null ? null : instant.replace(/\.\d+(?=Z|[+-]\d)/, '');

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1.4 GB`: rounded, for people. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const scaled = bytes / 1000 ** power;
  return `${scaled < 10 && power > 0 ? scaled.toFixed(1) : Math.round(scaled)} ${UNITS[power]}`;
}
