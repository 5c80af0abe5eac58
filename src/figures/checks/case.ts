/** The subject of a comparison, and its difference. */

import { absolute, divide, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Figure } from '../derived/figure.ts';

/** A comparison that failed. */
export interface Case {
  /** The compared figures as text: metric, period, filing. */
  readonly subject: string;
  /** The difference as a share of the larger amount. */
  readonly off: Decimal;
}

/** Counts a comparison, which holds if `deviation` is zero or less; `describe` is called for one that fails. */
export type CheckRecorder = (deviation: Decimal, describe: () => string) => void;

/** The data of one company that is checked. */
export interface CheckedCompany {
  /** Current values, internal figures included. */
  readonly figures: readonly Figure[];
  /** The company's row of the screener by column; null without one. */
  readonly screen: Readonly<Record<string, string | number | boolean | null>> | null;
  /** Accession numbers of the company's filings in the release; null if the release has no list of them. */
  readonly filings: ReadonlySet<string> | null;
}

/** The amount by which a difference exceeds its tolerated share of an amount; zero if it does not. */
export function excessOf(difference: Decimal, reference: Decimal, toleratedShare: Decimal): Decimal {
  if (isZero(difference)) return '0';
  if (compareDecimals(difference, multiply(absolute(reference), toleratedShare)) <= 0) return '0';
  return subtract(shareOf(difference, reference), toleratedShare);
}

/** The quotient of the two; 1 if the divisor is zero. */
export function shareOf(difference: Decimal, reference: Decimal): Decimal {
  return isZero(difference) ? '0' : (divide(difference, absolute(reference)) ?? '1');
}
