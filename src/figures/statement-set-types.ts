/** Rows of the Financial Statement Data Sets and the Statement and Notes sets, before their dates are exact. */
import type { Decimal } from '../contract/decimal-text.ts';
import type { Dimension } from '../edgar/reports/tagged-report.ts';

export interface StatementSetFact {
  /** prefix:Name. */
  readonly concept: string;
  readonly unit: string;
  readonly value: Decimal;
  readonly decimals: number | null;
  /** Axes and members as the set cuts them: without prefix, Axis and Member. */
  readonly dimensions: readonly Dimension[];
  /** The end, rounded to the end of a month. */
  readonly roundedEnd: string;
  /** The length, rounded to quarters; 0 for an instant. */
  readonly quarters: number;
  /** The dates as filed, where the set has kept what the rounding took; the start of an instant is null. */
  readonly exact: { readonly start: string | null; readonly end: string } | null;
}

export interface StatementSetReport {
  readonly accession: string;
  readonly cik: number;
  readonly form: string;
  readonly filed: string;
  /** Rounded to the end of a month; null where the set has none. */
  readonly roundedPeriod: string | null;
  readonly focusYear: number | null;
  readonly focusPeriod: string | null;
  readonly facts: readonly StatementSetFact[];
}
