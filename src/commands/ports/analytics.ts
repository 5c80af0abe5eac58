import type { AnalyticsReport } from '../../contract/release-work.ts';

/** Writes the typed tables of a release, for other programs. */
export interface AnalyticsPort {
  /**
   * Throws a usage Failure if the directory contains something else, a data Failure for errors of the release or the
   * disk.
   */
  writeAnalytics(dataDirectory: string, order: AnalyticsOrder): Promise<AnalyticsReport>;
  /**
   * Returns a script that creates DuckDB views of the tables.
   * @param stamp a stamp, or the beginning of exactly one; null for the current release
   * @param address the address of the tables; null for the local ones. Throws a data Failure if they have not been
   * written.
   */
  analyticsSql(dataDirectory: string, stamp: string | null, address: string | null): string;
  /** Describes the tables, which are the same for every release. */
  typedTables(): readonly DescribedTable[];
}

export interface AnalyticsOrder {
  /** A stamp, or the beginning of exactly one; null for the current release. */
  readonly stamp: string | null;
  /** The directory to write to; null for that of the release. */
  readonly out: string | null;
  /** Number of worker threads; null for the number of cores. */
  readonly jobs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly table: string; readonly done: number; readonly total: number }) => void;
}

export interface DescribedTable {
  readonly name: string;
  readonly about: string;
  readonly order: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly about: string }[];
}
