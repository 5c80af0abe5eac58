/** What one report states in tagged data: plain values, whichever of the public formats they were read from. */
import type { Decimal } from '../../contract/decimal-text.ts';

/** One coordinate of a fact. A typed member, which no list names, is null. */
export interface Dimension {
  /** As prefix:Name, or as a data set cuts it: `BusinessSegments`. */
  readonly axis: string;
  readonly member: string | null;
}

/** Where a fact stands in the document that was read. */
export interface FactPlace {
  /** The id of the fact's context. */
  readonly context: string;
  /** The id of the fact's own element; null where the filer gave none. */
  readonly line: string | null;
  /** Among the facts that the document carries but does not show. */
  readonly hidden: boolean;
}

/** One numeric fact, dimensional or not. Dates are YYYY-MM-DD, both ends inclusive. */
export interface TaggedFact {
  /** prefix:Name, the usual prefix where the taxonomy is a public one. */
  readonly concept: string;
  /** As company facts write it: USD, shares, USD/shares, pure. */
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly value: Decimal;
  /** The digit the value was rounded at, in XBRL's count: -6 for millions. Null when it is exact or unsaid. */
  readonly decimals: number | null;
  /** Ordered by axis; empty for the consolidated figure. */
  readonly dimensions: readonly Dimension[];
  /** Null in a data set, which says what was filed but not where. */
  readonly place: FactPlace | null;
}

/** One piece of text of a report's cover, and the member it is about (a class of shares, most often). */
export interface CoverText {
  /** Without its prefix: DocumentType, TradingSymbol. */
  readonly name: string;
  readonly text: string;
  readonly dimensions: readonly Dimension[];
}

export interface TaggedReport {
  /** `inline`: a document to read, with its tags. `instance`: tags alone. `data_set`: rows of a bulk file. */
  readonly kind: 'inline' | 'instance' | 'data_set';
  readonly cik: number | null;
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
  /** Labels of members by prefix:Name, where the filing's own list of labels is at hand. */
  readonly labels: ReadonlyMap<string, string>;
}
