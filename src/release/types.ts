/** What a release holds, as its readers see it. Rows carry names of the interface's resources in camel case. */
import type { Decimal } from '../contract/decimal.ts';
import type { RawConceptCount, Split, Statement } from '../figures/types.ts';

/** `covered`: core metrics are on file. `partial`: some figures. `none`: no figure. Of a security also `inactive`. */
export type CoverageState = 'covered' | 'partial' | 'none' | 'inactive';

export interface Company {
  readonly cik: number;
  readonly entityName: string;
  readonly coverageState: CoverageState;
  readonly filingCount: number;
  readonly rawFactCount: number;
  readonly metricValueCount: number;
  readonly latestFilingAt: string | null;
}

export interface Security {
  readonly ticker: string;
  readonly tickerNormalized: string;
  readonly exchange: string;
  readonly cik: number;
  readonly isPrimary: boolean;
  readonly isActive: boolean;
  readonly coverageState: CoverageState;
}

/** One check made before publication. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

export interface Manifest {
  /** Version of the layout of a release; a reader refuses one it does not know. */
  readonly layout: number;
  /** The latest day on which anything in the release was filed. */
  readonly date: string;
  readonly stamp: string;
  readonly publishedAt: string;
  readonly checks: 'passed' | 'failed';
  readonly checkResults: readonly Check[];
  readonly tables: Readonly<Record<string, { readonly file: string; readonly rows: number; readonly sha256: string }>>;
  readonly sources: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  readonly setAside: Readonly<Record<string, number>>;
  /** A sentence on what the release holds, for the sample. */
  readonly about: string | null;
}

/** The asked-for columns of the screener's table, parallel by row; rows in order of primary ticker. */
export interface ScreenTable {
  readonly length: number;
  readonly columns: Readonly<Record<string, readonly (Decimal | string | number | null)[]>>;
}

/** One release, open for reading. Everything is read on demand and nothing is kept but small tables. */
export interface ReleaseReader {
  readonly manifest: Manifest;
  /** All securities, ordered by ticker. */
  securities(): Promise<readonly Security[]>;
  companies(): Promise<readonly Company[]>;
  company(cik: number): Promise<Company | null>;
  /** Statement chains of one company, ordered by metric, unit, end, start, rank; optionally of some metrics only. */
  statements(cik: number, metricKeys?: readonly string[]): Promise<readonly Statement[]>;
  splits(cik: number): Promise<readonly Split[]>;
  rawConcepts(cik: number): Promise<readonly RawConceptCount[]>;
  /** Columns of `src/contract/screen-figures.ts`, and cik, ticker, exchange, entity_name. */
  screen(columns: readonly string[]): Promise<ScreenTable>;
  /** How many companies have a figure of each metric or ratio key. */
  coverage(): Promise<ReadonlyMap<string, number>>;
  /** The same release, whose reads stop and reject with the signal's reason once it aborts. Nothing is opened anew. */
  bounded?(signal: AbortSignal): ReleaseReader;
  close(): Promise<void>;
}
