/** The plain values of accounting: what goes into the pure functions of this room and what comes out. */

import type { Decimal } from '../contract/decimal-text.ts';
import type { StatementName } from '../contract/figures.ts';
import type { RawConceptCount } from '../edgar/facts/company-facts.ts';

export type PeriodKind = 'instant' | 'quarter' | 'half' | 'nine_month' | 'annual';
export type RevisionKind = 'first' | 'same' | 'revised' | 're_expressed';

/** What one figure is about. Statements that share it form a chain. */
export interface FigureKey {
  readonly metricKey: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
}

/** One filing's statement of one figure: a link of a chain. A release stores these; all else is read from them. */
export interface ReportedValue extends FigureKey {
  readonly periodKind: PeriodKind;
  readonly fiscalYear: number | null;
  /** FY, Q1 to Q4, H1, 9M, or null. */
  readonly fiscalPeriod: string | null;
  /** From 1, in filing order. */
  readonly rank: number;
  readonly kind: RevisionKind;
  /** The metric's value: the raw value times the mapping's sign. */
  readonly value: Decimal;
  /** New shares per old, on a re-expressed statement. */
  readonly splitRatio: Decimal | null;
  readonly taxonomy: string;
  readonly concept: string;
  readonly rawValue: Decimal;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly frame: string | null;
}

/** One input of a figure and the part it plays: `value`, `minuend`, `subtrahend`, `addend`, `numerator`, `denominator`. */
export interface FigureInput {
  readonly role: string;
  readonly statement: ReportedValue;
}

/** One figure as it stands, or as it stood on a day. */
export interface FigureValue extends FigureKey {
  readonly periodKind: PeriodKind;
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
  readonly valueKind: 'reported' | 'derived';
  readonly value: Decimal;
  readonly confidence: Decimal;
  readonly statementName: StatementName | null;
  /** The statement the value is read from; of a derived figure the latest-filed of its inputs. */
  readonly readFrom: ReportedValue;
  readonly revised: boolean;
  readonly revisionCount: number;
  readonly inputs: readonly FigureInput[];
}

/** A share split: new shares per old share, and the filing that says so. */
export interface Split {
  readonly ratio: Decimal;
  /** The first day on the new basis. */
  readonly effective: string;
  readonly accession: string;
}

/** The screener's figures of one company, by column; a missing figure is null. */
export interface ScreenFigures {
  readonly fiscalYear: number | null;
  readonly dates: Readonly<Record<string, string | null>>;
  readonly figures: Readonly<Record<string, Decimal | null>>;
}

/** Everything a release keeps of one company that follows from its facts and its list of filings. */
export interface CompanyFigures {
  readonly reportedValues: readonly ReportedValue[];
  readonly splits: readonly Split[];
  readonly rawConcepts: readonly RawConceptCount[];
  readonly rawFactCount: number;
  /** Figures that stand today, reported and derived. */
  readonly metricValueCount: number;
  /** Metric keys with at least one figure, reported or derived. */
  readonly coveredKeys: readonly string[];
  /** Null when no core metric (an annual revenue, net income or total of assets) is on file. */
  readonly screen: ScreenFigures | null;
  /** Rows that were not used, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}
