import type { AnalyticsReport, BuildReport } from '../../contract/release-work.ts';

/** Builds releases from public files. */
export interface BuildPort {
  /** Throws a usage Failure if there are no sources, a data Failure for errors of files or the disk. */
  buildRelease(order: BuildOrder): Promise<BuildOutcome>;
  /** Returns the directory of releases in a data directory. */
  releasesHome(dataDirectory: string): string;
}

export interface BuildOrder {
  /** A directory of public files; if `fetched`, each file is first compared with its record. */
  readonly from: { readonly directory: string; readonly fetched: boolean };
  /** The directory of releases. */
  readonly home: string;
  readonly about: string | null;
  readonly withoutFootnotes: boolean;
  /** Tickers and CIKs of companies whose tagged facts are all included, or all companies. */
  readonly facts: readonly string[] | 'all';
  /** Companies whose figures all end before this day are left out of the screener; null includes all. */
  readonly screenSince: string | null;
  readonly publishFailed: boolean;
  readonly allowLoss: boolean;
  /** Whether to write the typed tables too. */
  readonly analytics: boolean;
  /** Directory of task results for later builds; null runs every task again and caches nothing. */
  readonly partsDirectory: string | null;
  /** Number of worker threads; null for the number of cores, at most eight. */
  readonly jobs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BuildProgress) => void;
}

export type BuildProgress =
  | { readonly phase: 'verifying'; readonly file: string }
  | { readonly phase: 'typing'; readonly table: string; readonly done: number; readonly total: number }
  | { readonly phase: 'dating' | 'deriving' | 'finishing'; readonly done: number; readonly total: number };

export interface BuildOutcome extends BuildReport {
  /** Null if they were not requested, or the release was not published. */
  readonly analytics: AnalyticsReport | null;
}
