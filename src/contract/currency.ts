/** Returns the currency of an amount (`USD`) or of an amount per share (`USD/shares`); null for any other unit. */
export function parseCurrency(unit: string): string | null {
  if (unit.length === 3) return unit;
  return unit.length === 10 && unit.endsWith('/shares') ? unit.slice(0, 3) : null;
}
