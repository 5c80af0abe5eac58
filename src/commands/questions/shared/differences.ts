/** Differences and shares of figures that may be missing. */
import { divide, subtract } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';

type Figure = Decimal | null | undefined;

/** `a` minus `b`; null if either is missing. */
export const difference = (a: Figure, b: Figure): Decimal | null => (a == null || b == null ? null : subtract(a, b));

/** `part` of `whole` as a fraction; null if either is missing, or the whole is zero. */
export const shareOf = (part: Figure, whole: Figure): Decimal | null =>
  part == null || whole == null ? null : divide(part, whole);
