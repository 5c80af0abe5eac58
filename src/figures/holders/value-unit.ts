/**
 * Whether a report states its values in thousands or in dollars.
 *
 * Values have been filed in dollars since 3 January 2023 and in thousands before, but some managers changed early or
 * not at all. So known prices decide first, then what the shares would cost, and only then the date.
 */

import { multiply, nearlyEqual } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';
import type { HoldingLine } from '../../edgar/holdings/thirteen-f-report.ts';

export type ValueUnit = 'dollars' | 'thousands';

const DOLLARS_FROM = '2023-01-03';
/** Fewer lines do not decide: two warrants look like thousands. */
const ENOUGH_LINES = 5;
/** How far apart two prices may be and count as the same. */
const NEAR = '0.1';
/** Less than half of all holdings cost under a dollar a share, or over two thousand dollars. */
const MOST_IN_THOUSANDS = '2';

/** @param priceOf a CUSIP's price at the end of the quarter, from other sources; null where none is known */
export function valueUnit(
  lines: readonly HoldingLine[],
  filed: string,
  priceOf: (cusip: string) => Decimal | null,
): ValueUnit {
  const byRule = filed >= DOLLARS_FROM ? 'dollars' : 'thousands';
  let [tested, below, above] = [0, 0, 0];
  let [dollars, thousands] = [0, 0];
  for (const { value, amount, amountType, putCall, cusip } of lines) {
    if (amountType !== 'SH' || putCall !== '' || isZero(amount) || isZero(value)) continue;
    tested += 1;
    if (compareDecimals(value, amount) < 0) below += 1;
    else if (compareDecimals(value, multiply(amount, MOST_IN_THOUSANDS)) > 0) above += 1;
    const price = priceOf(cusip);
    if (price === null) continue;
    const worth = multiply(price, amount);
    if (nearlyEqual(value, worth, NEAR)) dollars += 1;
    else if (nearlyEqual(shiftDecimal(value, 3), worth, NEAR)) thousands += 1;
  }
  if (dollars !== thousands) return dollars > thousands ? 'dollars' : 'thousands';
  if (tested < ENOUGH_LINES) return byRule;
  if (byRule === 'dollars' && below * 2 > tested) return 'thousands';
  if (byRule === 'thousands' && above * 2 > tested) return 'dollars';
  return byRule;
}
