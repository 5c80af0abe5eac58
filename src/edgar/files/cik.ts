/** Returns the CIK of a number, or of text with or without leading zeros; null if the value is not a CIK. */
export function cikOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return null;
  const cik = Number(text);
  return cik > 0 ? cik : null;
}
