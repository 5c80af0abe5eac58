import type { AnalyticsReport, BuildReport } from '../../contract/release-work.ts';

/** Builds releases from public SEC files. */
export interface BuildPort {
  /**
   * Builds a release. Throws a usage Failure if sources are missing, a data Failure for errors of files or the disk.
   */
  buildRelease(options: BuildReleaseOptions): Promise<BuildOutcome>;
  /** Returns the directory of releases in a data directory. */
  getReleasesHome(dataDirectory: string): string;
}

export interface BuildReleaseOptions {
  /**
   * A directory of source files. If `fetched`, each file is first compared with the size and hash recorded by `fin data
   * fetch`.
   */
  readonly from: { readonly directory: string; readonly fetched: boolean };
  /** The directory in which releases are stored. */
  readonly home: string;
  /** A description that is stored in the release; null to store no description. */
  readonly about: string | null;
  readonly withoutFootnotes: boolean;
  /** Companies (tickers or CIKs) whose tagged facts are all included; `all` for every company. */
  readonly facts: readonly string[] | 'all';
  /** The screener includes only companies with figures that end on or after this date; null includes all companies. */
  readonly screenSince: string | null;
  /** Whether to publish the release even if its checks fail. */
  readonly publishFailed: boolean;
  /** Whether to publish the release even if it lacks a table or many companies of the current release. */
  readonly allowLoss: boolean;
  /** Whether to also write the tables with SQL types. */
  readonly analytics: boolean;
  /** Cache directory for task results, reused by later builds; null runs every task and caches nothing. */
  readonly resultCacheDirectory: string | null;
  /** Number of worker threads; null for one per core, at most eight. */
  readonly jobs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BuildProgress) => void;
}

export type BuildProgress =
  | { readonly phase: 'verifying'; readonly file: string }
  | { readonly phase: 'typing'; readonly table: string; readonly done: number; readonly total: number }
  | { readonly phase: 'dating' | 'deriving' | 'finishing'; readonly done: number; readonly total: number };

export interface BuildOutcome extends BuildReport {
  /** The report on the typed tables; null if the tables were not requested, or if the release was not published. */
  readonly analytics: AnalyticsReport | null;
}
