/** Compares the figures of a release with each other. */
export interface CheckPort {
  /**
   * Throws a data Failure if the release is missing or damaged.
   * @param stamp a stamp, or the beginning of exactly one; null for the current release
   */
  checkRelease(
    dataDirectory: string,
    stamp: string | null,
    onProgress: (done: number, total: number) => void,
  ): Promise<ReleaseCheck>;
  /**
   * Compares figures of a CSV file with those of a release. Throws a usage Failure if the file is unreadable.
   * @param stamp as for `checkRelease`
   */
  checkAgainst(
    dataDirectory: string,
    stamp: string | null,
    file: string,
    onProgress: (done: number, total: number) => void,
  ): Promise<FigureComparison>;
  /**
   * Compares two releases on this machine.
   * @param stamps stamps, or the beginnings of exactly one; null for the current release, and for the one before it.
   * Throws a data Failure if a release is missing or damaged.
   */
  compareReleases(
    dataDirectory: string,
    stamps: { readonly before: string | null; readonly after: string | null },
    onProgress: (done: number, total: number) => void,
  ): Promise<ReleaseDifference>;
}

export interface ReleaseDifference {
  readonly before: string;
  readonly after: string;
  /** Number of companies compared. */
  readonly companies: number;
  /** Latest filings first. */
  readonly rows: readonly ReleaseChange[];
}

/** A report, figure or company that differs. Fields that do not apply are null. */
export interface ReleaseChange {
  readonly change: 'report_added' | 'revised' | 're_expressed' | 'withdrawn' | 'company_added' | 'company_removed';
  readonly ticker: string;
  readonly cik: number;
  readonly name: string;
  readonly metricKey: string | null;
  readonly unit: string | null;
  readonly start: string | null;
  readonly end: string | null;
  /** The current values of a figure in the two releases. */
  readonly before: string | null;
  readonly after: string | null;
  /** Number of figures with a first value in an added report. */
  readonly figures: number | null;
  /** The added report, or the filing that the figure is read from. */
  readonly form: string | null;
  readonly accession: string | null;
  readonly filed: string | null;
}

export interface FigureComparison {
  readonly stamp: string;
  readonly directory: string;
  /** The largest differences first. */
  readonly rows: readonly ComparedRow[];
}

export interface ComparedRow {
  readonly ticker: string;
  readonly metric: string;
  readonly period: string;
  readonly end: string | null;
  /** Null for current values. */
  readonly asOf: string | null;
  readonly expected: string;
  /** The release's value; null if missing. */
  readonly value: string | null;
  readonly result: 'equal' | 'different' | 'absent';
  /** The difference as a share of the expected value; null if the value is missing. */
  readonly off: string | null;
}

export interface ReleaseCheck {
  readonly stamp: string;
  readonly directory: string;
  readonly companies: number;
  readonly identities: readonly CheckedIdentity[];
  /** Faults of the files of its typed tables, one sentence each. */
  readonly faults: readonly string[];
}

export interface CheckedIdentity {
  readonly name: string;
  readonly checked: number;
  readonly broken: number;
  /** Maximum share of cases that may fail. */
  readonly tolerated: number;
  readonly passed: boolean;
  /** The largest differences first; `off` is a share of the larger amount, in addition to rounding. */
  readonly worst: readonly { readonly subject: string; readonly off: string }[];
}
