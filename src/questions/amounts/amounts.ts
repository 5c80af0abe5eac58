/** Amounts of holdings, and differences, ratios and conversions of figures that may be missing. */
import { divide, subtract } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { convertToNewShares, findExactRatio } from '../../contract/split-ratio.ts';
import { type Cell, makeFigureCell } from '../../result/blocks.ts';

type OptionalDecimal = Decimal | null | undefined;

/** Returns `a` minus `b`; null if `a` or `b` is missing. */
export const subtractOrNull = (a: OptionalDecimal, b: OptionalDecimal): Decimal | null =>
  a == null || b == null ? null : subtract(a, b);

/** Returns `part` divided by `whole`; null if either is missing or `whole` is zero. */
export const divideOrNull = (part: OptionalDecimal, whole: OptionalDecimal): Decimal | null =>
  part == null || whole == null ? null : divide(part, whole);

/**
 * Converts a number of shares of the previous quarter to shares of the current quarter. `ratio`: undefined if
 * there was no split; null if there may have been one, so that the result is null, too.
 */
export function toNewSharesOrNull(before: OptionalDecimal, ratio: OptionalDecimal): Decimal | null {
  if (ratio === undefined) return before ?? null;
  return before == null || ratio === null ? null : convertToNewShares(before, findExactRatio(ratio));
}

/** Returns the cell of a number of shares; any other amount, such as a principal amount, is marked with its type. */
export const makeAmount = ({ amount, amount_type: type }: Record<'amount' | 'amount_type', string>): Cell => ({
  ...makeFigureCell(amount, 'shares'),
  mark: type === 'SH' ? '' : ` ${type}`,
});
