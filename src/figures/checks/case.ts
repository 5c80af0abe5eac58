/** What a check compares and records, and how it measures a difference. */

import { absolute, divide, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Figure } from '../derived/figure.ts';

/** A comparison that failed. */
export interface FailedComparison {
  /** The compared figures, as text: metric, period and filing. */
  readonly subject: string;
  /** The difference as a share of the larger amount. */
  readonly off: Decimal;
}

/** Counts one comparison. It passes if `deviation` is zero or less; otherwise `describe` is called for its subject. */
export type CheckRecorder = (deviation: Decimal, describe: () => string) => void;

/** One company's data that the checks read. */
export interface CheckedCompany {
  /** Current values, including those of internal figures. */
  readonly figures: readonly Figure[];
  /** The company's row in the screener, by column; null if the screener has no row for the company. */
  readonly screen: Readonly<Record<string, string | number | boolean | null>> | null;
  /** Accession numbers of the company's filings in the release; null if the release has no list of them. */
  readonly filings: ReadonlySet<string> | null;
}

/** Returns by how much `difference / reference` exceeds the tolerated share; zero if it is within the share. */
export function computeExcess(difference: Decimal, reference: Decimal, toleratedShare: Decimal): Decimal {
  if (isZero(difference)) return '0';
  if (compareDecimals(difference, multiply(absolute(reference), toleratedShare)) <= 0) return '0';
  return subtract(computeShare(difference, reference), toleratedShare);
}

/** Returns `difference / |reference|`: zero if there is no difference, 1 if only the reference is zero. */
export function computeShare(difference: Decimal, reference: Decimal): Decimal {
  return isZero(difference) ? '0' : (divide(difference, absolute(reference)) ?? '1');
}
