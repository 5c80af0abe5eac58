/** The little arithmetic that tables need, exact on the digits. Figures of filings are never made here. */
import { type Decimal, isDecimal, isZero, shiftDecimal } from '../contract/decimal-text.ts';

const scaleOf = (value: Decimal): number => value.split('.')[1]?.length ?? 0;

const scaled = (value: Decimal, scale: number): bigint => BigInt(shiftDecimal(value, scale));

/** `a` less `b`, exactly; null where either is missing. */
export function subtract(a: Decimal | null | undefined, b: Decimal | null | undefined): Decimal | null {
  if (a == null || b == null || !isDecimal(a) || !isDecimal(b)) return null;
  const scale = Math.max(scaleOf(a), scaleOf(b));
  return shiftDecimal((scaled(a, scale) - scaled(b, scale)).toString(), -scale);
}

/** `part` of `whole` as a fraction of four places, for a column of shares; null where there is none. */
export function share(part: Decimal | null | undefined, whole: Decimal | null | undefined): Decimal | null {
  if (part == null || whole == null || !isDecimal(part) || !isDecimal(whole) || isZero(whole)) return null;
  const scale = Math.max(scaleOf(part), scaleOf(whole));
  return shiftDecimal(((scaled(part, scale) * 10_000n) / scaled(whole, scale)).toString(), -4);
}
