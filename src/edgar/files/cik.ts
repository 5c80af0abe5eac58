import { parseCik } from '../../contract/identifiers.ts';

/** Returns the CIK of a number, or of text with or without leading zeros; null if the value is not a CIK. */
export function toCik(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? parseCik(text) : null;
}
