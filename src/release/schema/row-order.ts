/** Compares text by code units, which no locale changes: the order of all rows in a release. */
export function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
