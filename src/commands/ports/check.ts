/** Compares the figures of a release with each other. */
export interface CheckPort {
  /**
   * Throws a data Failure where there is no such release, or it is damaged.
   * @param wanted a stamp, or the beginning of exactly one; null for the release that answers
   */
  checkRelease(
    dataDirectory: string,
    wanted: string | null,
    onProgress: (done: number, total: number) => void,
  ): Promise<ReleaseCheck>;
  /**
   * Compares figures of a CSV file with those of a release. Throws a usage Failure where the file cannot be read.
   * @param wanted as above
   */
  checkAgainst(
    dataDirectory: string,
    wanted: string | null,
    file: string,
    onProgress: (done: number, total: number) => void,
  ): Promise<FigureComparison>;
}

export interface FigureComparison {
  readonly stamp: string;
  readonly directory: string;
  /** The worst first. */
  readonly rows: readonly ComparedRow[];
}

export interface ComparedRow {
  readonly ticker: string;
  readonly metric: string;
  readonly period: string;
  readonly end: string | null;
  /** Null: as figures stand. */
  readonly asOf: string | null;
  readonly expected: string;
  /** The release's value; null where it has none. */
  readonly value: string | null;
  readonly result: 'equal' | 'different' | 'absent';
  /** The difference as a share of the expected value; null where there is no value. */
  readonly off: string | null;
}

export interface ReleaseCheck {
  readonly stamp: string;
  readonly directory: string;
  readonly companies: number;
  readonly identities: readonly CheckedIdentity[];
  /** What is wrong with the files of its typed tables, a sentence each. */
  readonly faults: readonly string[];
}

export interface CheckedIdentity {
  readonly name: string;
  readonly checked: number;
  readonly broken: number;
  /** The share of cases that may be broken. */
  readonly tolerated: number;
  readonly passed: boolean;
  /** The worst first; `off` is a share of the larger amount, beyond what rounding explains. */
  readonly worst: readonly { readonly subject: string; readonly off: string }[];
}
