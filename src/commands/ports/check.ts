/** Checks the figures of a release: against each other, against a CSV file, or against another release. */
export interface CheckPort {
  /**
   * Checks a release's figures against each other. Throws a data Failure if the release is missing or damaged.
   * @param stamp a stamp, or an unambiguous prefix; null for the current release
   */
  checkRelease(
    dataDirectory: string,
    stamp: string | null,
    onProgress: (done: number, total: number) => void,
  ): Promise<ReleaseCheck>;
  /**
   * Compares the figures of a CSV file with a release. Throws a usage Failure if the file is unreadable.
   * @param stamp a stamp, or an unambiguous prefix; null for the current release
   */
  checkAgainstFile(
    dataDirectory: string,
    stamp: string | null,
    file: string,
    onProgress: (done: number, total: number) => void,
  ): Promise<FigureComparison>;
  /**
   * Compares two local releases. Throws a data Failure if a release is missing or damaged.
   * @param stamps stamps or unambiguous prefixes. Null for `after`: the current release. Null for `before`: the release
   * that precedes `after`.
   */
  compareReleases(
    dataDirectory: string,
    stamps: { readonly before: string | null; readonly after: string | null },
    onProgress: (done: number, total: number) => void,
  ): Promise<ReleaseDifference>;
}

export interface ReleaseDifference {
  /** Stamps of the older and of the newer release. */
  readonly before: string;
  readonly after: string;
  /** Number of companies compared. */
  readonly companies: number;
  /** The changes, latest filings first. */
  readonly rows: readonly ReleaseChange[];
}

/** A report, figure or company that differs between two releases. Fields that do not apply are null. */
export interface ReleaseChange {
  readonly change: 'report_added' | 'revised' | 're_expressed' | 'withdrawn' | 'company_added' | 'company_removed';
  readonly ticker: string;
  readonly cik: number;
  readonly name: string;
  readonly metricKey: string | null;
  readonly unit: string | null;
  readonly start: string | null;
  readonly end: string | null;
  /** Values of the figure in the older and in the newer release. */
  readonly before: string | null;
  readonly after: string | null;
  /** For `report_added`: number of figures that this report is the first to contain. */
  readonly figures: number | null;
  /** Form of the added report; for a changed figure, form of the filing that supplies the value. */
  readonly form: string | null;
  readonly accession: string | null;
  readonly filed: string | null;
}

export interface FigureComparison {
  readonly stamp: string;
  readonly directory: string;
  /** Compared values, largest differences first. */
  readonly rows: readonly ComparedRow[];
}

export interface ComparedRow {
  readonly ticker: string;
  readonly metric: string;
  readonly period: string;
  readonly end: string | null;
  /** The date as of which values are compared; null for current values. */
  readonly asOf: string | null;
  readonly expected: string;
  /** The value in the release; null if the release has no value. */
  readonly value: string | null;
  readonly result: 'equal' | 'different' | 'absent';
  /** The difference as a share of the expected value; null if the release has no value. */
  readonly off: string | null;
}

export interface ReleaseCheck {
  readonly stamp: string;
  readonly directory: string;
  readonly companies: number;
  readonly identities: readonly CheckedIdentity[];
  /** Faults found in the files of the release's typed tables, one sentence each. */
  readonly faults: readonly string[];
}

/** A relation between figures, such as assets = liabilities + equity, and the cases in which it was checked. */
export interface CheckedIdentity {
  readonly name: string;
  /** `stated`: between amounts that filers state; `own`: between fin's own figures. */
  readonly kind: 'stated' | 'own';
  readonly checked: number;
  readonly broken: number;
  /** Number of broken cases whose figures every answer marks as unconfirmed. */
  readonly marked: number;
  /** Whether all broken cases are marked. */
  readonly passed: boolean;
  /**
   * Cases with the largest differences, those without a mark first. `off` is the difference beyond rounding, as a share
   * of the larger amount; `command` shows the figures.
   */
  readonly worst: readonly {
    readonly subject: string;
    readonly off: string;
    readonly marked: boolean;
    readonly command: string;
  }[];
}
