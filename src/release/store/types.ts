/** What a release holds, as its readers see it. Rows carry names of the interface's resources in camel case. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { RawConceptCount } from '../../edgar/facts/company-facts.ts';
import type { ReportedValue, Split } from '../../figures/types.ts';
import type { Table } from '../schema/table.ts';

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

/** One table on disk: a Parquet file, and beside it the index that finds a company's row group without the footer. */
export interface TableFile {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly index: { readonly file: string; readonly bytes: number; readonly crc32: number; readonly sha256: string };
}

export interface Manifest {
  /** Version of the layout of a release; a reader refuses one it does not know. */
  readonly layout: number;
  /** The latest day on which anything in the release was filed. */
  readonly date: string;
  /** The date, a dash, and the first twelve digits of the hash of all rows: the same sources make the same stamp. */
  readonly stamp: string;
  readonly publishedAt: string;
  readonly checks: 'passed' | 'failed';
  readonly checkResults: readonly Check[];
  readonly tables: Readonly<Record<string, TableFile>>;
  readonly sources: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  /** What was read and not used, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
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
  /**
   * Statement chains of one company, ordered by metric, unit, end, start, rank; optionally of some metrics only.
   * They are views, to be read field by field: they have no properties of their own to spread, compare or print.
   */
  reportedValues(cik: number, metricKeys?: readonly string[]): Promise<readonly ReportedValue[]>;
  splits(cik: number): Promise<readonly Split[]>;
  rawConcepts(cik: number): Promise<readonly RawConceptCount[]>;
  /** Columns of `src/contract/screen-figures.ts`, and cik, ticker, exchange, entity_name. */
  screen(columns: readonly string[]): Promise<ScreenTable>;
  /** How many companies have a figure of each metric or ratio key. */
  coverage(): Promise<ReadonlyMap<string, number>>;
  /** Whether the release has the table of a family; one made of company facts alone has none. */
  includes(table: Table): boolean;
  /** The rows of one company, or of another key, in the table's order; none where the release does not carry it. */
  rowsOf<Row>(table: Table<Row>, key: number): Promise<readonly Row[]>;
  /** Every row of a table, which should be small. */
  allOf<Row>(table: Table<Row>): Promise<readonly Row[]>;
  close(): Promise<void>;
}
