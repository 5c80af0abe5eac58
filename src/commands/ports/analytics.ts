import type { AnalyticsReport } from '../../contract/release-work.ts';

/** Writes the typed tables of a release (Parquet files for other programs). */
export interface AnalyticsPort {
  /**
   * Writes the tables. Throws a usage Failure if the directory contains other files, or for the built-in sample without
   * `out`; a data Failure for errors of the release or the disk.
   */
  writeAnalytics(dataDirectory: string, options: WriteAnalyticsOptions): Promise<AnalyticsReport>;
  /**
   * Returns an SQL script that creates DuckDB views of the tables. Throws a data Failure if local tables are missing.
   * @param stamp a stamp, or an unambiguous prefix; null for the current release
   * @param address the address of the tables; null for the local tables
   */
  renderAnalyticsSql(dataDirectory: string, stamp: string | null, address: string | null): string;
  /** Describes the typed tables, which have the same columns in every release. */
  describeTypedTables(): readonly DescribedTable[];
}

export interface WriteAnalyticsOptions {
  /** A release stamp, or an unambiguous prefix; null for the current release. */
  readonly stamp: string | null;
  /** The directory to write to; null for the release's own directory. */
  readonly out: string | null;
  /** Number of worker threads; null for one per core, at most eight. */
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
