/** Subtracts and divides figures that may be missing. */
import { divide, subtract } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';

type OptionalDecimal = Decimal | null | undefined;

/** Returns `a` minus `b`; null if `a` or `b` is missing. */
export const subtractOrNull = (a: OptionalDecimal, b: OptionalDecimal): Decimal | null =>
  a == null || b == null ? null : subtract(a, b);

/** Returns `part` divided by `whole`; null if either is missing or `whole` is zero. */
export const divideOrNull = (part: OptionalDecimal, whole: OptionalDecimal): Decimal | null =>
  part == null || whole == null ? null : divide(part, whole);
