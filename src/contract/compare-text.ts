/** Compares texts by UTF-16 code units: the same on every machine, in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders like compareText, null first. */
export function compareNullsFirst(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return compareText(a, b);
}

/** Orders like compareText, null last. */
export function compareNullsLast(a: string | null, b: string | null): number {
  return a === null || b === null ? -compareNullsFirst(a, b) : compareText(a, b);
}
