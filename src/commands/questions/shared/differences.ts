/** Differences and shares of figures that may be missing, or that another service wrote as no Decimal. */
import { divide, subtract } from '../../../contract/decimal.ts';
import { type Decimal, isDecimal } from '../../../contract/decimal-text.ts';

type Figure = Decimal | null | undefined;

const known = (figure: Figure): figure is Decimal => figure != null && isDecimal(figure);

/** `a` minus `b`; null where either is missing. */
export const difference = (a: Figure, b: Figure): Decimal | null => (known(a) && known(b) ? subtract(a, b) : null);

/** `part` of `whole` as a fraction; null where either is missing, or the whole is zero. */
export const shareOf = (part: Figure, whole: Figure): Decimal | null =>
  known(part) && known(whole) ? divide(part, whole) : null;
