/** The price that a position implies: its value over its number of shares. */

import { absolute, divide, multiply, roundToInteger, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';

/**
 * Values are filed rounded, so the quotient is only near the close. Where a whole number of cents gives the value back
 * within its rounding, that is the price; else the quotient to four places. Null without a value or shares.
 * @param rounding how far the value may be from the unrounded one: half a dollar, half a thousand
 */
export function impliedPrice(value: Decimal, amount: Decimal, rounding: Decimal): Decimal | null {
  if (isZero(amount) || isZero(value)) return null;
  const quotient = divide(value, amount);
  if (quotient === null) return null;
  const inCents = shiftDecimal(roundToInteger(shiftDecimal(quotient, 2)), -2);
  const off = absolute(subtract(multiply(inCents, amount), value));
  const price =
    compareDecimals(off, rounding) <= 0
      ? inCents
      : shiftDecimal(roundToInteger(shiftDecimal(quotient, 4)), -4).replace(/(\.\d\d\d*?)0+$/, '$1');
  return isZero(price) ? null : price;
}
