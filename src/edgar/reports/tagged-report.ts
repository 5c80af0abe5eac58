/** The tagged data of one report, for all public formats. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Dimension, FactSource } from '../facts/fact-row.ts';

/** The location of a fact in its document. */
export interface FactLocation {
  /** The id of the fact's context. */
  readonly contextId: string;
  /** The id of the fact's own element; null if it has none. */
  readonly line: string | null;
  /** Whether the fact is in the document's hidden section. */
  readonly isHidden: boolean;
}

/** One numeric fact, dimensional or not. Dates are YYYY-MM-DD, both ends inclusive. */
export interface TaggedFact {
  /** prefix:Name, with the usual prefix of a public taxonomy. */
  readonly concept: string;
  /** As in company facts: USD, shares, USD/shares, pure. */
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly value: Decimal;
  /** XBRL's `decimals`: -6 for a value rounded to millions. Null if it is exact or not stated. */
  readonly decimals: number | null;
  /** Ordered by axis; empty for the consolidated figure. */
  readonly dimensions: readonly Dimension[];
  /** Null for a data set. */
  readonly location: FactLocation | null;
}

/** A text on a report's cover and the member it is about, usually a class of shares. */
export interface CoverText {
  /** Without its prefix: DocumentType, TradingSymbol. */
  readonly name: string;
  readonly text: string;
  readonly dimensions: readonly Dimension[];
}

export interface TaggedReport {
  /** `inline`: a document with tags. `instance`: only tags. `data_set`: rows of a bulk file. */
  readonly kind: FactSource;
  readonly cik: number | null;
  /** The company's name in the report. */
  readonly registrant: string | null;
  readonly form: string | null;
  /** The end of the report's period. */
  readonly periodEnd: string | null;
  readonly focusYear: number | null;
  readonly focusPeriod: string | null;
  readonly facts: readonly TaggedFact[];
  readonly cover: readonly CoverText[];
  readonly skipped: Readonly<Record<string, number>>;
}

/** A report and its filing. */
export interface FiledReport extends TaggedReport {
  readonly cik: number;
  readonly form: string;
  readonly accession: string;
  readonly filed: string;
  /** The file's name in the filing's folder; null if unknown. */
  readonly document: string | null;
  /** Labels of members by prefix:Name; empty without the filing's label linkbase. */
  readonly labels: ReadonlyMap<string, string>;
}
