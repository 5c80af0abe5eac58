import type { AnalyticsReport } from '../../contract/release-work.ts';

/** The typed tables of a release, for other programs. */
export interface AnalyticsPort {
  /** Throws a usage Failure for a directory with something else in it, a data Failure where release or disk fail it. */
  writeAnalytics(dataDirectory: string, order: AnalyticsOrder): Promise<AnalyticsReport>;
  /**
   * A script that makes views of DuckDB of them.
   * @param wanted a stamp, or the beginning of exactly one; null for the release that answers
   * @param address where the tables are; null for this machine. Throws a data Failure where they have not been written.
   */
  analyticsSql(dataDirectory: string, wanted: string | null, address: string | null): string;
  /** The tables as any release has them. */
  typedTables(): readonly DescribedTable[];
}

export interface AnalyticsOrder {
  /** A stamp, or the beginning of exactly one; null for the release that answers. */
  readonly wanted: string | null;
  /** The directory to write; null for that of the release. */
  readonly out: string | null;
  /** Worker threads; null for the number of cores. */
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
