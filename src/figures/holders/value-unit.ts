/**
 * Whether a report states its values in thousands or in dollars.
 *
 * Since 3 January 2023 values are filed in dollars, in thousands before; some managers did not change and some did
 * early. So known prices decide where there are any, then what the shares would cost, and only then the day.
 */
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal.ts';
import { divide, nearlyEqual } from '../arithmetic.ts';
import { medianMark } from '../prices/mark.ts';
import type { HoldingLine } from './types.ts';

export type ValueUnit = 'dollars' | 'thousands';

const DOLLARS_FROM = '2023-01-03';
/** Fewer lines than this say nothing: two warrants look like thousands. */
const ENOUGH_LINES = 5;
/** How near a price counts as the same. */
const NEAR = '0.1';
/** Half of all holdings cost neither less than this a share, nor a thousand times as much. */
const [LEAST, MOST] = ['1', '2000'];

/** @param priceOf a CUSIP's price at the end of the quarter, from other sources; null where none is known */
export function valueUnit(
  lines: readonly HoldingLine[],
  filed: string,
  priceOf: (cusip: string) => Decimal | null,
): ValueUnit {
  const byRule = filed >= DOLLARS_FROM ? 'dollars' : 'thousands';
  const implied: Decimal[] = [];
  let dollars = 0;
  let thousands = 0;
  for (const line of lines) {
    if (line.amountType !== 'SH' || line.putCall !== '' || isZero(line.amount) || isZero(line.value)) continue;
    const price = divide(line.value, line.amount);
    if (price === null || isZero(price)) continue;
    implied.push(price);
    const known = priceOf(line.cusip);
    if (known === null) continue;
    if (nearlyEqual(price, known, NEAR)) dollars += 1;
    else if (nearlyEqual(price, divide(known, '1000') ?? '0', NEAR)) thousands += 1;
  }
  if (dollars !== thousands) return dollars > thousands ? 'dollars' : 'thousands';
  if (implied.length < ENOUGH_LINES) return byRule;
  const median = medianMark(implied)?.price ?? '0';
  if (byRule === 'dollars' && compareDecimals(median, LEAST) < 0) return 'thousands';
  if (byRule === 'thousands' && compareDecimals(median, divide(MOST, '1000') ?? '2') > 0) return 'dollars';
  return byRule;
}
