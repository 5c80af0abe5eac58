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
