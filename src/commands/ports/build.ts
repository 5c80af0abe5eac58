import type { AnalyticsReport, BuildReport } from '../../contract/release-work.ts';

/** Builds releases from public files. */
export interface BuildPort {
  /** Throws a usage Failure where there is nothing to build from, a data Failure where files or disk fail it. */
  buildRelease(order: BuildOrder): Promise<BuildOutcome>;
  /** Where the releases of a data directory are. */
  releasesHome(dataDirectory: string): string;
}

export interface BuildOrder {
  /** A directory of public files; or fetched files, each compared first with what was fetched. */
  readonly from: { readonly directory: string; readonly fetched: boolean };
  /** The directory that holds releases. */
  readonly home: string;
  readonly about: string | null;
  readonly withoutFootnotes: boolean;
  /** Companies with only older figures are not in the screener; null for all. */
  readonly screenSince: string | null;
  readonly publishFailed: boolean;
  readonly allowLoss: boolean;
  /** Whether the typed tables are written too. */
  readonly analytics: boolean;
  /** Where finished parts of builds are kept for later ones; null makes all anew, and keeps nothing. */
  readonly partsDirectory: string | null;
  /** Worker threads; null for as many as there are cores, at most eight. */
  readonly jobs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BuildProgress) => void;
}

export type BuildProgress =
  | { readonly phase: 'verifying'; readonly file: string }
  | { readonly phase: 'typing'; readonly table: string; readonly done: number; readonly total: number }
  | { readonly phase: 'dating' | 'deriving' | 'finishing'; readonly done: number; readonly total: number };

export interface BuildOutcome extends BuildReport {
  /** Null where they were not asked for, or the release was not published. */
  readonly analytics: AnalyticsReport | null;
}
