/** Counts and instants in sentences and tables. */

/** "1 row", "2 rows". */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** A date-time without fractions of a second; null where there is none. */
export const formatInstant = (instant: string | null | undefined): string | null =>
  instant == null ? null : instant.replace(/\.\d+(?=Z|[+-]\d)/, '');
