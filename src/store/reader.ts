/** Opens one release. A table's files are opened when the table is first asked for. */

import type { Decimal } from '../contract/decimal-text.ts';
import type { RawConceptCount } from '../edgar/facts/company-facts.ts';
import type { PeriodKind } from '../figures/periods/period-kind.ts';
import type { QuarterStarts } from '../figures/periods/quarters.ts';
import type { ReportedValue, RevisionKind } from '../figures/revisions/revision-chain.ts';
import type { Split } from '../figures/shares/splits.ts';
import { openTable } from './local-table.ts';
import { DamagedTable, damaged, type Manifest, readManifest, type TableFile } from './manifest.ts';
import { COMPANIES, type Company, SECURITIES, type Security } from './schema/companies.ts';
import { RAW_CONCEPTS, REPORTED_VALUES, SPLITS } from './schema/reported-values.ts';
import { COVERAGE, SCREEN } from './schema/screen.ts';
import type { Cell, Table } from './schema/table.ts';
import { among, forgetFailed, type Only, type Page, type RowsOfPage, type TableReader } from './table-reader.ts';

/** The asked-for columns of the screener's table, parallel by row; rows in order of primary ticker. */
export interface ScreenTable {
  readonly length: number;
  readonly columns: Readonly<Record<string, readonly (Decimal | string | number | boolean | null)[]>>;
}

/** What is known of a release wherever it is. */
export type ReleaseIdentity = Pick<Manifest, 'layout' | 'date' | 'stamp' | 'publishedAt' | 'checks' | 'absent'> & {
  readonly tables: Readonly<Record<string, Pick<TableFile, 'rows' | 'columns'>>>;
};

/** A release on this machine. */
export interface LocalRelease extends ReleaseReader {
  readonly manifest: Manifest;
}

/**
 * One release, open for reading. Everything is read on demand; small tables are kept, and a few row groups.
 * Rows are views, to be read field by field: they have no properties of their own to spread, compare or print.
 */
export interface ReleaseReader {
  readonly manifest: ReleaseIdentity;
  /** All securities, ordered by ticker. */
  securities(): Promise<readonly Security[]>;
  /** All companies, ordered by CIK. */
  companies(): Promise<readonly Company[]>;
  company(cik: number): Promise<Company | null>;
  /** Revision chains of one company, ordered by metric, unit, end, start, rank; optionally of some metrics only. */
  reportedValues(cik: number, metricKeys?: readonly string[]): Promise<readonly ReportedValue[]>;
  /** What `startsOfQuarters` says of the company's reported values of every metric, on a day or today. */
  quarterStarts(cik: number, asOf: string | null): Promise<QuarterStarts>;
  splits(cik: number): Promise<readonly Split[]>;
  rawConcepts(cik: number): Promise<readonly RawConceptCount[]>;
  /** Columns of `contract/screen-columns.ts`, and cik, ticker, exchange, entity_name: of all rows, or of these. */
  screen(columns: readonly string[], rows?: readonly number[]): Promise<ScreenTable>;
  /** How many companies have a figure of each metric or ratio key. */
  coverage(): Promise<ReadonlyMap<string, number>>;
  /** Whether the release has the table of a family, or a column of it; one made of company facts alone has no family. */
  includes(table: Table, column?: string): boolean;
  /**
   * The rows of one company, or of another key, in the table's order; none where the release does not include the table.
   * @param only those that pass in each of these columns
   */
  rowsOf<Row>(table: Table<Row>, key: number, ...only: readonly Only[]): Promise<readonly Row[]>;
  /** Some of the same rows, and how many there are in all. */
  pageOf<Row>(table: Table<Row>, key: number, page: Page, ...only: readonly Only[]): Promise<RowsOfPage<Row>>;
  /** The rows of the keys from `first` to `last`, in the table's order; none where the release does not include the table. */
  rowsBetween<Row>(table: Table<Row>, first: number, last: number): Promise<readonly Row[]>;
  /** The rows of each of the keys, in the table's order: read together, as names of many companies are. */
  rowsOfEach<Row>(table: Table<Row>, keys: Iterable<number>): Promise<readonly Row[]>;
  /** The cells of some columns of a table, which should be small: of all rows, or of these, by their places in the table. */
  columnsOf(table: Table, columns: readonly string[], rows?: readonly number[]): Promise<(readonly Cell[])[]>;
  /** Some columns of the row groups that may hold the keys from `first` to `last`, as `TableReader` reads them. */
  columnsBetween(
    table: Table,
    columns: readonly string[],
    first: number,
    last: number,
    rows?: readonly number[],
  ): Promise<(readonly Cell[])[]>;
  /** Every row of a table, which should be small. */
  allOf<Row>(table: Table<Row>): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Throws a data Failure, there or at the first reading of a table, when the release is missing, damaged or of another layout. */
export function openRelease(directory: string): LocalRelease {
  const manifest = readManifest(directory, { hashes: false });
  return readerOf(manifest, (table) => {
    const entry = manifest.tables[table.name];
    if (entry === undefined) throw damaged(directory, `it has no table ${table.name}`);
    return openTable(directory, table, entry);
  });
}

/** The rows of quarters of which a value stands on the day, as `isStatement` has it. */
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

/** A release that has its tables elsewhere. @param open throws where there is no such table */
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
  /** Every row of tables without a key. */
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
    // Both columns are texts, and the second has no null among these rows.
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
    // Under one name there are only ever the rows of that table.
    return forgetFailed(this.#rows, table.name, reading) as Promise<readonly Row[]>;
  }

  async close(): Promise<void> {
    for (const table of this.#tables.values()) table.close();
    this.#tables.clear();
    this.#rows.clear();
  }

  /** Reads of a table; a damaged one is opened anew the next time, as it may have been repaired meanwhile. */
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
    // Under one name there is only ever the reader of that table.
    if (open !== undefined) return open as TableReader<Row>;
    const reader = this.#open(table);
    this.#tables.set(table.name, reader as TableReader<unknown>);
    return reader;
  }
}
