/** Compares texts by UTF-16 code units, so that the order is independent of machine and locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares like compareText; null sorts first. */
export function compareNullsFirst(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return compareText(a, b);
}

/** Compares like compareText; null sorts last. */
export const compareNullsLast = (a: string | null, b: string | null): number =>
  a === null || b === null ? -compareNullsFirst(a, b) : compareText(a, b);
