/** What one report states in tagged data, whichever public format it was read from. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { FactSource } from '../facts/fact-row.ts';

/** One axis and member of a fact. The member of a typed dimension is null. */
export interface Dimension {
  /** prefix:Name, or as a data set shortens it: `BusinessSegments`. */
  readonly axis: string;
  readonly member: string | null;
}

/** Where a fact stands in its document. */
export interface FactPlace {
  /** The id of the fact's context. */
  readonly context: string;
  /** The id of the fact's own element; null where the filer gave none. */
  readonly line: string | null;
  /** In the document's hidden section. */
  readonly hidden: boolean;
}

/** One numeric fact, dimensional or not. Dates are YYYY-MM-DD, both ends inclusive. */
export interface TaggedFact {
  /** prefix:Name, with the usual prefix of a public taxonomy. */
  readonly concept: string;
  /** As company facts write it: USD, shares, USD/shares, pure. */
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly value: Decimal;
  /** XBRL's `decimals`: -6 for a value rounded to millions. Null when it is exact or not stated. */
  readonly decimals: number | null;
  /** Ordered by axis; empty for the consolidated figure. */
  readonly dimensions: readonly Dimension[];
  /** Null in a data set. */
  readonly place: FactPlace | null;
}

/** A text of a report's cover and the member it is about, most often a class of shares. */
export interface CoverText {
  /** Without its prefix: DocumentType, TradingSymbol. */
  readonly name: string;
  readonly text: string;
  readonly dimensions: readonly Dimension[];
}

export interface TaggedReport {
  /** `inline`: a document with tags. `instance`: tags alone. `data_set`: rows of a bulk file. */
  readonly kind: FactSource;
  readonly cik: number | null;
  /** The company's name as the report states it. */
  readonly registrant: string | null;
  readonly form: string | null;
  /** The end of the period the report is about. */
  readonly periodEnd: string | null;
  readonly focusYear: number | null;
  readonly focusPeriod: string | null;
  readonly facts: readonly TaggedFact[];
  readonly cover: readonly CoverText[];
  readonly skipped: Readonly<Record<string, number>>;
}

/** A report and the filing it came with. */
export interface FiledReport extends TaggedReport {
  readonly cik: number;
  readonly form: string;
  readonly accession: string;
  readonly filed: string;
  /** The file's name in the filing's folder; null where it is not known. */
  readonly document: string | null;
  /** Labels of members by prefix:Name; empty where the filing's label linkbase is not available. */
  readonly labels: ReadonlyMap<string, string>;
}
