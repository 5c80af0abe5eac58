/** Prices of a company's shares around a day, to check a filed price against. */
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { addDays } from '../../platform/dates.ts';

/** Public prices have gaps; one this many days away is still of the same order. */
const NEAR = 7;

/**
 * The higher of the nearest prices before and after a day, so that a split between them does not make a correct price
 * look wrong. Null where none is near.
 * @param prices of all of the company's shares, as traded on their days
 */
export function closesNear(
  prices: readonly { readonly day: string; readonly price: Decimal }[],
): (day: string) => Decimal | null {
  const highest = new Map<string, Decimal>();
  for (const { day, price } of prices) highest.set(day, higher(highest.get(day) ?? null, price));
  const seek = (day: string, step: 1 | -1): Decimal | null => {
    for (let away = 0; away <= NEAR; away++) {
      const found = highest.get(addDays(day, away * step));
      if (found !== undefined) return found;
    }
    return null;
  };
  return (day) => {
    const before = seek(day, -1);
    const after = seek(day, 1);
    return after === null ? before : higher(before, after);
  };
}

function higher(a: Decimal | null, b: Decimal): Decimal {
  return a === null || compareDecimals(b, a) > 0 ? b : a;
}
