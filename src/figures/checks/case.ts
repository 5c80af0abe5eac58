import type { Decimal } from '../../contract/decimal-text.ts';
import type { Figure } from '../derived/figure.ts';
import type { RelationResults } from '../relations/relations.ts';

/** The figures of a comparison: how to name them and how to show them. */
export interface CheckedCase {
  /** The compared figures as text, for example a metric with its unit and period. */
  readonly subject: string;
  readonly keys: readonly string[];
  /** The filing day if all values are of one filing, otherwise null; answers as of this day have these values. */
  readonly asOf: string | null;
}

export interface FailedCase extends CheckedCase {
  /** The relative difference less the tolerance of the check (0 for a check without one); always above zero. */
  readonly off: Decimal;
  /** Whether every answer marks the figures. */
  readonly marked: boolean;
  /** The command that shows the figures. */
  readonly command: string;
}

/**
 * Counts one comparison, which passes if `deviation` is zero or less. After a failure, calls `describe`, and
 * `isMarked`, which tells whether every answer marks the figures; absent for a failure that no mark excuses.
 */
export type CheckRecorder = (deviation: Decimal, describe: () => CheckedCase, isMarked?: () => boolean) => void;

export interface CheckedCompany {
  readonly cik: number;
  /** Comparisons of stated amounts. */
  readonly relations: RelationResults;
  /** Current values of all figures, including internal figures. */
  readonly figures: readonly Figure[];
  /** The company's row in the screener, by column; null if the screener has no row for the company. */
  readonly screen: Readonly<Record<string, string | number | boolean | null>> | null;
  /**
   * Accession numbers of the company's filings in the release; null if the release does not list the company's filings.
   */
  readonly filings: ReadonlySet<string> | null;
}

export function describeFigure({ metricKey, unit, start, end }: Figure): CheckedCase {
  const dates = start === null ? end : `${start} to ${end}`;
  return { subject: `${metricKey} ${unit} ${dates}`, keys: [metricKey], asOf: null };
}
