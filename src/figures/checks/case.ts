/** What is compared, and how far off it is. */

import { absolute, divide, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Figure } from '../metrics/figure.ts';

/** One comparison that does not hold. */
export interface Case {
  /** What was compared: metric, period, filing. */
  readonly subject: string;
  /** How far it is off, as a share of the larger amount. */
  readonly off: Decimal;
}

/** Counts a comparison, which holds where it is off by zero or less; described is one that does not. */
export type Compare = (off: Decimal, describe: () => string) => void;

/** What is known of one company. */
export interface CheckedCompany {
  /** As they stand, internal ones too. */
  readonly figures: readonly Figure[];
  /** Its row of the screener by column; null without one. */
  readonly screen: Readonly<Record<string, string | number | boolean | null>> | null;
  /** The accession numbers of its filings in the release; null where the release lists none. */
  readonly filings: ReadonlySet<string> | null;
}

/** By how much a difference is more than a share of an amount; zero where it is not. */
export function excessOf(difference: Decimal, of: Decimal, tolerated: Decimal): Decimal {
  if (isZero(difference)) return '0';
  if (compareDecimals(difference, multiply(absolute(of), tolerated)) <= 0) return '0';
  return subtract(shareOf(difference, of), tolerated);
}

/** One in terms of the other; all of it where the other is zero. */
export function shareOf(difference: Decimal, of: Decimal): Decimal {
  return isZero(difference) ? '0' : (divide(difference, absolute(of)) ?? '1');
}
