/** Tickers of the current local release, for shell completion. */
export interface TickersPort {
  /** Returns the tickers; empty if no local release is readable. */
  readNamedTickers(env: Readonly<Record<string, string | undefined>>): Promise<readonly NamedTicker[]>;
}

export interface NamedTicker {
  readonly ticker: string;
  readonly name: string;
}

export interface ReleasesPort {
  /**
   * Returns the built-in sample and the releases in the data directory.
   * @param isVerified whether to compare every file with its hash and read every cell
   */
  listReleases(dataDirectory: string, isVerified: boolean): Promise<ReleaseList>;
  /**
   * Makes a release the current release. Throws a data Failure if the release is missing.
   * @param name a stamp, or an unambiguous prefix
   */
  useRelease(dataDirectory: string, name: string): Promise<{ readonly stamp: string; readonly directory: string }>;
  /** Returns the release that `local:` reads. Throws a data Failure if no release is usable. */
  findReleaseInUse(dataDirectory: string): ReleaseInUse;
}

export interface ReleaseList {
  /** The directory of the user's own releases, without the built-in sample. */
  readonly home: string;
  readonly releases: readonly ReleaseStatus[];
}

export interface ReleaseStatus {
  readonly stamp: string;
  readonly current: boolean;
  readonly sample: boolean;
  readonly directory: string;
  /** The release's manifest; null if the manifest is unreadable. */
  readonly manifest: ReleaseManifest | null;
  readonly faults: readonly string[];
}

export interface ReleaseManifest {
  readonly checks: 'passed' | 'failed';
  readonly publishedAt: string;
  readonly about: string | null;
  /** Names of tables that are missing because only parts of the release were pulled. */
  readonly absent?: readonly string[];
  readonly tables: Readonly<Record<string, { readonly rows: number }>>;
}

export interface ReleaseInUse {
  readonly stamp: string;
  readonly isSample: boolean;
  readonly checks: 'passed' | 'failed';
  readonly publishedAt: string;
}
