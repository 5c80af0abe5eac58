/** Compares text by code units, which no locale changes: the order of all rows in a release. */
export function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

export function compareNullsFirst(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return compare(a, b);
}

export function compareNullsLast(a: string | null, b: string | null): number {
  return a === null || b === null ? -compareNullsFirst(a, b) : compare(a, b);
}
