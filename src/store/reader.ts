/** Reads one release. Opens a table's files when the table is first read. */

import type { Decimal } from '../contract/decimal-text.ts';
import type { RawConceptCount } from '../edgar/facts/company-facts.ts';
import type { QuarterStarts } from '../figures/derived/quarters.ts';
import type { PeriodKind } from '../figures/periods/period-kind.ts';
import type { ReportedValue, RevisionKind } from '../figures/revisions/revision-chain.ts';
import type { Split } from '../figures/shares/splits.ts';
import { openTable } from './local-table.ts';
import { DamagedTable, damaged, type Manifest, readManifest, type TableFile } from './manifest.ts';
import { COMPANIES, type Company, SECURITIES, type Security } from './schema/companies.ts';
import { RAW_CONCEPTS, REPORTED_VALUES, SPLITS } from './schema/reported-values.ts';
import { COVERAGE, SCREEN } from './schema/screen.ts';
import type { Cell, Table } from './schema/table.ts';
import { among, forgetFailed, type Only, type Page, type RowsOfPage, type TableReader } from './table-reader.ts';

/** The requested columns of the screener's table, parallel by row; rows in order of primary ticker. */
export interface ScreenTable {
  readonly length: number;
  readonly columns: Readonly<Record<string, readonly (Decimal | string | number | boolean | null)[]>>;
}

/** The identity of a release, local or remote. */
export type ReleaseIdentity = Pick<Manifest, 'layout' | 'date' | 'stamp' | 'publishedAt' | 'checks' | 'absent'> & {
  readonly tables: Readonly<Record<string, Pick<TableFile, 'rows' | 'columns'>>>;
};

/** A release on the local disk. */
export interface LocalRelease extends ReleaseReader {
  readonly manifest: Manifest;
}

/**
 * One release, open for reading. Reads on demand and caches small tables and a few row groups. Rows are views: read
 * their fields one by one, because they have no own properties to spread, compare or print.
 */
export interface ReleaseReader {
  readonly manifest: ReleaseIdentity;
  /** All securities, ordered by ticker. */
  securities(): Promise<readonly Security[]>;
  /** All companies, ordered by CIK. */
  companies(): Promise<readonly Company[]>;
  company(cik: number): Promise<Company | null>;
  /**
   * Returns the revision chains of one company, ordered by metric, unit, end, start, rank; optionally of some metrics
   * only.
   */
  reportedValues(cik: number, metricKeys?: readonly string[]): Promise<readonly ReportedValue[]>;
  /** Returns the result of `startsOfQuarters` for all reported values of the company, as of a day or today. */
  quarterStarts(cik: number, asOf: string | null): Promise<QuarterStarts>;
  splits(cik: number): Promise<readonly Split[]>;
  rawConcepts(cik: number): Promise<readonly RawConceptCount[]>;
  /**
   * Returns columns of `contract/screen-columns.ts`, and cik, ticker, exchange, entity_name: of all rows, or of some.
   */
  screen(columns: readonly string[], rows?: readonly number[]): Promise<ScreenTable>;
  /** Returns the number of companies with each metric or ratio key. */
  coverage(): Promise<ReadonlyMap<string, number>>;
  /**
   * Whether the release has a family's table, or one of its columns; a release of company facts alone has no
   * families.
   */
  includes(table: Table, column?: string): boolean;
  /**
   * Returns the rows of one company or other key, in the table's order; empty if the release does not include the
   * table.
   * @param only only rows that pass in each of these columns
   */
  rowsOf<Row>(table: Table<Row>, key: number, ...only: readonly Only[]): Promise<readonly Row[]>;
  /** Returns a page of the same rows, and their total number. */
  pageOf<Row>(table: Table<Row>, key: number, page: Page, ...only: readonly Only[]): Promise<RowsOfPage<Row>>;
  /**
   * Returns the rows with keys from `first` to `last`, in the table's order; empty if the release does not include
   * the table.
   */
  rowsBetween<Row>(table: Table<Row>, first: number, last: number): Promise<readonly Row[]>;
  /** Returns the rows of each key, in the table's order, read together: for the names of many companies. */
  rowsOfEach<Row>(table: Table<Row>, keys: Iterable<number>): Promise<readonly Row[]>;
  /** Returns the cells of some columns of a small table: of all rows, or of some by their position. */
  columnsOf(table: Table, columns: readonly string[], rows?: readonly number[]): Promise<(readonly Cell[])[]>;
  /** Returns some columns of the row groups that may have keys from `first` to `last`, as `TableReader` does. */
  columnsBetween(
    table: Table,
    columns: readonly string[],
    first: number,
    last: number,
    rows?: readonly number[],
  ): Promise<(readonly Cell[])[]>;
  /** Returns every row of a small table. */
  allOf<Row>(table: Table<Row>): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/**
 * Throws a data Failure, now or when a table is first read, if the release is missing, damaged or of an incompatible
 * layout.
 */
export function openRelease(directory: string): LocalRelease {
  const manifest = readManifest(directory, { hashes: false });
  return readerOf(manifest, (table) => {
    const entry = manifest.tables[table.name];
    if (entry === undefined) throw damaged(directory, `it has no table ${table.name}`);
    return openTable(directory, table, entry);
  });
}

/** Selects the quarters with a current value on the day, according to `isStatement`. */
function standingQuarters(asOf: string | null): Only[] {
  return [
    among<PeriodKind>('period_kind', ['quarter']),
    among<RevisionKind>('kind', ['first', 'revised', 're_expressed']),
    { column: 'start_date', passes: (day) => day !== null },
    { column: 'contradicted_on', passes: (day) => day === null || (asOf !== null && String(day) > asOf) },
    ...(asOf === null ? [] : [{ column: 'filed_at', passes: (day: Cell) => String(day) <= asOf }]),
  ];
}

type OpenTable = <Row>(table: Table<Row>) => TableReader<Row>;

/**
 * Returns a reader of a release with tables from any source.
 * @param open throws if the table is missing
 */
export function readerOf<Identity extends ReleaseIdentity>(
  manifest: Identity,
  open: OpenTable,
): ReleaseReader & { readonly manifest: Identity } {
  return new Release(manifest, open);
}

class Release<Identity extends ReleaseIdentity> implements ReleaseReader {
  readonly manifest: Identity;
  readonly #open: OpenTable;
  readonly #tables = new Map<string, TableReader<unknown>>();
  /** All rows of tables without a key, by table. */
  readonly #rows = new Map<string, Promise<readonly unknown[]>>();
  #securities: readonly Security[] | undefined;
  #companies: readonly Company[] | undefined;
  #coverage: ReadonlyMap<string, number> | undefined;

  constructor(manifest: Identity, open: OpenTable) {
    this.manifest = manifest;
    this.#open = open;
  }

  async securities(): Promise<readonly Security[]> {
    this.#securities ??= await this.#read(SECURITIES, (table) => table.all());
    return this.#securities;
  }

  async companies(): Promise<readonly Company[]> {
    this.#companies ??= await this.#read(COMPANIES, (table) => table.all());
    return this.#companies;
  }

  async company(cik: number): Promise<Company | null> {
    return this.#read(COMPANIES, async (table) => (await table.rowsOf(cik))[0] ?? null);
  }

  async reportedValues(cik: number, metricKeys?: readonly string[]) {
    const only = metricKeys === undefined ? [] : [among('metric_key', metricKeys)];
    return this.#read(REPORTED_VALUES, (table) => table.rowsOf(cik, ...only));
  }

  async quarterStarts(cik: number, asOf: string | null) {
    const starts = await this.#read(REPORTED_VALUES, (table) =>
      table.lastBy(cik, 'end_date', 'start_date', ...standingQuarters(asOf)),
    );
    // Both columns are text, and `rows` have no null in the second.
    return starts as Map<string, string>;
  }

  async splits(cik: number) {
    return this.#read(SPLITS, (table) => table.rowsOf(cik));
  }

  async rawConcepts(cik: number) {
    return this.#read(RAW_CONCEPTS, (table) => table.rowsOf(cik));
  }

  async screen(columns: readonly string[], rows?: readonly number[]): Promise<ScreenTable> {
    return this.#read(SCREEN, async (table) => {
      const cells = (await table.columns(columns, rows)) as (string | number | null)[][];
      const named = Object.fromEntries(
        columns.map((name, index) => [name, cells[index] as (string | number | null)[]]),
      );
      return { length: rows?.length ?? table.rows, columns: named };
    });
  }

  async coverage(): Promise<ReadonlyMap<string, number>> {
    if (this.#coverage === undefined) {
      const counts = await this.#read(COVERAGE, (table) => table.all());
      this.#coverage = new Map(counts.map(({ metricKey, companyCount }) => [metricKey, companyCount]));
    }
    return this.#coverage;
  }

  includes({ name }: Table, column?: string): boolean {
    const table = this.manifest.tables[name];
    return table !== undefined && (column === undefined || table.columns[column] !== undefined);
  }

  async rowsOf<Row>(table: Table<Row>, key: number, ...only: readonly Only[]): Promise<readonly Row[]> {
    return this.includes(table) ? this.#read(table, (open) => open.rowsOf(key, ...only)) : [];
  }

  async pageOf<Row>(table: Table<Row>, key: number, page: Page, ...only: readonly Only[]): Promise<RowsOfPage<Row>> {
    if (!this.includes(table)) return { rows: [], total: 0 };
    return this.#read(table, (open) => open.pageOf(key, page, ...only));
  }

  async rowsBetween<Row>(table: Table<Row>, first: number, last: number): Promise<readonly Row[]> {
    return this.includes(table) ? this.#read(table, (open) => open.rowsBetween(first, last)) : [];
  }

  async rowsOfEach<Row>(table: Table<Row>, keys: Iterable<number>): Promise<readonly Row[]> {
    return this.includes(table) ? this.#read(table, (open) => open.rowsOfEach(keys)) : [];
  }

  async columnsOf(table: Table, columns: readonly string[], rows?: readonly number[]) {
    return this.#read(table, (open) => open.columns(columns, rows));
  }

  async columnsBetween(
    table: Table,
    columns: readonly string[],
    first: number,
    last: number,
    rows?: readonly number[],
  ) {
    return this.#read(table, (open) => open.columnsBetween(columns, first, last, rows));
  }

  async allOf<Row>(table: Table<Row>): Promise<readonly Row[]> {
    if (!this.includes(table)) return [];
    const read = () => this.#read(table, (open) => open.all());
    if (table.key !== null) return read();
    const reading = this.#rows.get(table.name) ?? read();
    this.#rows.set(table.name, reading);
    // A name always refers to the rows of the same table.
    return forgetFailed(this.#rows, table.name, reading) as Promise<readonly Row[]>;
  }

  async close(): Promise<void> {
    for (const table of this.#tables.values()) table.close();
    this.#tables.clear();
    this.#rows.clear();
  }

  /** Reads from a table. A damaged table is opened again next time, because it may have been repaired. */
  async #read<Row, Result>(table: Table<Row>, run: (open: TableReader<Row>) => Promise<Result>): Promise<Result> {
    const open = this.#table(table);
    try {
      return await run(open);
    } catch (error) {
      if (error instanceof DamagedTable && this.#tables.get(table.name) === open) {
        this.#tables.delete(table.name);
        open.close();
      }
      throw error;
    }
  }

  #table<Row>(table: Table<Row>): TableReader<Row> {
    const open = this.#tables.get(table.name);
    // A name always refers to the reader of the same table.
    if (open !== undefined) return open as TableReader<Row>;
    const reader = this.#open(table);
    this.#tables.set(table.name, reader as TableReader<unknown>);
    return reader;
  }
}
