/** The securities of the current local release, for completion. */
export interface TickersPort {
  /** Empty if there is no readable release. */
  tickers(env: Readonly<Record<string, string | undefined>>): Promise<readonly NamedTicker[]>;
}

export interface NamedTicker {
  readonly ticker: string;
  readonly name: string;
}

/** The releases on this machine. */
export interface ReleasesPort {
  /**
   * Returns the releases in the data directory and the built-in sample.
   * @param verify compares every file with its hash, and reads every cell
   */
  listReleases(dataDirectory: string, verify: boolean): Promise<ReleaseList>;
  /**
   * Makes a release the current one.
   * @param name a stamp, or the beginning of exactly one. Throws a data Failure if it is missing.
   */
  useRelease(dataDirectory: string, name: string): Promise<{ readonly stamp: string; readonly directory: string }>;
  /** Returns the release that answers `local:`. Throws a data Failure if there is none. */
  answeringRelease(dataDirectory: string): AnsweringRelease;
}

export interface ReleaseList {
  /** The directory of the user's own releases. */
  readonly home: string;
  readonly releases: readonly ReleaseStatus[];
}

export interface ReleaseStatus {
  readonly stamp: string;
  /** Whether it is the current release. */
  readonly current: boolean;
  readonly sample: boolean;
  readonly directory: string;
  /** Null if the manifest is unreadable. */
  readonly manifest: ReleaseManifest | null;
  readonly faults: readonly string[];
}

export interface ReleaseManifest {
  readonly checks: 'passed' | 'failed';
  readonly publishedAt: string;
  readonly about: string | null;
  /** Tables that are missing because only a part of the release was pulled. */
  readonly absent?: readonly string[];
  readonly tables: Readonly<Record<string, { readonly rows: number }>>;
}

export interface AnsweringRelease {
  readonly stamp: string;
  readonly isSample: boolean;
  readonly checks: 'passed' | 'failed';
  readonly publishedAt: string;
}
