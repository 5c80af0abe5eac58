/** Records of the tagged data in a report, the same for all file formats. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Dimension, ReportKind } from '../facts/fact-row.ts';

interface FactLocation {
  readonly contextId: string;
  /** The id of the fact's element; null if missing. */
  readonly elementId: string | null;
  /** Whether the fact is in the document's hidden section. */
  readonly isHidden: boolean;
}

/** One numeric fact, with or without dimensions. Dates are YYYY-MM-DD, both ends inclusive. */
export interface TaggedFact {
  /** prefix:Name, with the usual prefix for public taxonomies. */
  readonly concept: string;
  /** In the notation of company facts: USD, shares, USD/shares, pure. */
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly value: Decimal;
  /** The `decimals` attribute: -6 for a value rounded to millions. Null if missing or INF. */
  readonly decimals: number | null;
  /** The dimensions, sorted by axis; empty for a consolidated figure. */
  readonly dimensions: readonly Dimension[];
  /** Location of the fact in its document; null for a fact from a data set. */
  readonly location: FactLocation | null;
  /** Set if a data set rounds the period, and its days are inferred. */
  readonly hasInferredDates?: true;
}

/** A text fact on a report's cover page. Its dimension, if any, is usually a class of shares. */
export interface CoverText {
  /** Without prefix: DocumentType, TradingSymbol. */
  readonly name: string;
  readonly text: string;
  readonly dimensions: readonly Dimension[];
}

export interface TaggedReport {
  /**
   * `inline`: HTML with tags. `instance`: an XML instance. `data_set`: rows of a financial statement data set of the
   * SEC.
   */
  readonly kind: ReportKind;
  readonly cik: number | null;
  /** The company's name in the report; null if missing. */
  readonly registrant: string | null;
  /** The form type, with `/A` if the cover says that the report is an amendment. */
  readonly form: string | null;
  /** The end of the report's period, from the context of its cover; null if missing. */
  readonly periodEnd: string | null;
  /** The end of the period as the cover states it; null if missing or in an unknown notation. */
  readonly coverPeriodEnd: string | null;
  readonly focusYear: number | null;
  readonly focusPeriod: string | null;
  readonly facts: readonly TaggedFact[];
  readonly cover: readonly CoverText[];
  readonly skipped: Readonly<Record<string, number>>;
}

/** A report with the accession number and filing date of its filing. */
export interface FiledReport extends TaggedReport {
  readonly cik: number;
  readonly form: string;
  readonly accession: string;
  readonly filed: string;
  /** The file's name in the filing's folder; null if unknown. */
  readonly document: string | null;
  /** Labels of members by prefix:Name; empty if the filing has no label linkbase. */
  readonly labels: ReadonlyMap<string, string>;
  /** Data about the filing that only data sets state. */
  readonly filing?: DataSetFiling;
}

/** What a data set states about a filing and its filer. */
interface DataSetFiling {
  /** The filer's industry code. */
  readonly sic: string | null;
  /** New York time of acceptance, as the set states it. */
  readonly accepted: string | null;
  /** Exact end of the report's period. */
  readonly reportDate: string | null;
}
