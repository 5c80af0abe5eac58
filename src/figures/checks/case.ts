/** What is compared, and how far off it is. */

import { absolute, divide } from '../../contract/decimal.ts';
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Figure } from '../metrics/figure.ts';

/** One comparison. */
export interface Case {
  /** What was compared: metric, period, filing. */
  readonly subject: string;
  /** How far it is off, as a share of the larger amount; zero or below where it holds. */
  readonly off: Decimal;
}

/** What is known of one company. */
export interface CheckedCompany {
  /** As they stand, internal ones too. */
  readonly figures: readonly Figure[];
  /** Its row of the screener by column; null without one. */
  readonly screen: Readonly<Record<string, string | number | null>> | null;
  /** The accession numbers of its filings in the release; null where the release lists none. */
  readonly filings: ReadonlySet<string> | null;
}

/** One in terms of the other; all of it where the other is zero. */
export function shareOf(difference: Decimal, of: Decimal): Decimal {
  return isZero(difference) ? '0' : (divide(difference, absolute(of)) ?? '1');
}
