/** The securities of the release on this machine, for completion. */
export interface TickersPort {
  /** Empty where there is no release, or it cannot be read. */
  tickers(env: Readonly<Record<string, string | undefined>>): Promise<readonly NamedTicker[]>;
}

export interface NamedTicker {
  readonly ticker: string;
  readonly name: string;
}

/** The releases on this machine. */
export interface ReleasesPort {
  /**
   * The releases in the data directory, and those of the built-in sample.
   * @param verify compares every file with its hash, and reads every cell
   */
  listReleases(dataDirectory: string, verify: boolean): Promise<ReleaseList>;
  /**
   * Makes a release the one that answers.
   * @param wanted a stamp, or the beginning of exactly one. Throws a data Failure where there is no such release.
   */
  useRelease(dataDirectory: string, wanted: string): Promise<{ readonly stamp: string; readonly directory: string }>;
  /** The release that answers `local:`. Throws a data Failure where there is none. */
  answeringRelease(dataDirectory: string): AnsweringRelease;
}

export interface ReleaseList {
  /** The directory of the user's own releases. */
  readonly home: string;
  readonly releases: readonly ReleaseStatus[];
}

export interface ReleaseStatus {
  readonly stamp: string;
  /** Whether it answers. */
  readonly current: boolean;
  readonly sample: boolean;
  readonly directory: string;
  /** Null when the manifest itself cannot be read. */
  readonly manifest: ReleaseManifest | null;
  readonly faults: readonly string[];
}

export interface ReleaseManifest {
  readonly checks: 'passed' | 'failed';
  readonly publishedAt: string;
  readonly about: string | null;
  /** Tables that are not here, of a release of which a part was pulled. */
  readonly absent?: readonly string[];
  readonly tables: Readonly<Record<string, { readonly rows: number }>>;
}

export interface AnsweringRelease {
  readonly stamp: string;
  readonly isSample: boolean;
  readonly checks: 'passed' | 'failed';
  readonly publishedAt: string;
}
