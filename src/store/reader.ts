/** Reads a release. Files of a table are opened when the table is first read. */

import type { Decimal } from '../contract/decimal-text.ts';
import type { RawConceptSummary } from '../edgar/facts/company-facts.ts';
import type { QuarterStarts } from '../figures/derived/derive-quarters.ts';
import type { PeriodKind } from '../figures/periods/period-kind.ts';
import type { ReportedValue, RevisionKind } from '../figures/revisions/revision-chain.ts';
import type { Split } from '../figures/shares/splits.ts';
import { openTable } from './local-table.ts';
import { type Manifest, makeDamagedFailure, readManifest, TableFailure, type TableFile } from './releases/manifest.ts';
import type { Cell } from './schema/columns.ts';
import { COMPANIES, type Company, SECURITIES, type Security } from './schema/companies.ts';
import type { Table } from './schema/declare-table.ts';
import { RAW_CONCEPTS, REPORTED_VALUES, SPLITS } from './schema/reported-values.ts';
import { COVERAGE, SCREEN } from './schema/screen.ts';
import type { CellCondition, GroupColumns, PageRequest, RowGroupRef, TableReader } from './table-reader.ts';
import { makeCondition, readCached } from './table-reader.ts';

/** Columns of the screener's table, each with one cell per requested row. */
export interface ScreenTable {
  readonly length: number;
  readonly columns: Readonly<Record<string, readonly (Decimal | string | number | boolean | null)[]>>;
}

/** The fields that identify and describe a release, local or remote. */
export type ReleaseDescription = Pick<Manifest, 'layout' | 'date' | 'stamp' | 'publishedAt' | 'checks' | 'absent'> & {
  readonly tables: Readonly<Record<string, Pick<TableFile, 'rows' | 'columns'>>>;
};

/**
 * An open release. Data is read on demand; small tables and a few row groups are cached. Rows are views: read single
 * fields, because views have no own properties to spread, compare or print.
 */
export type ReleaseReader = Pick<Release<ReleaseDescription>, keyof Release<ReleaseDescription>>;

interface LocalRelease extends ReleaseReader {
  readonly manifest: Manifest;
}

/**
 * Opens a release on the local disk. Throws a data Failure, immediately or when a table is first read, if the release
 * is missing, damaged or of an incompatible layout.
 */
export function openRelease(directory: string): LocalRelease {
  const manifest = readManifest(directory, { checksHashes: false });
  return createReleaseReader(manifest, (table) => {
    const entry = manifest.tables[table.name];
    if (entry === undefined)
      throw makeDamagedFailure(`${directory}/${table.name}.parquet`, 'the release does not have this table');
    return openTable(directory, table, entry);
  });
}

/**
 * Returns conditions that select the same quarterly values as `isReliableNewValue`: values that a filing until `asOf` was
 * the first to report or has changed, and that no filing until then contradicts. Null means today.
 */
const makeEffectiveQuarterConditions = (asOf: string | null): CellCondition[] => [
  makeCondition<PeriodKind>('period_kind', ['quarter']),
  makeCondition<RevisionKind>('kind', ['first', 'revised', 're_expressed']),
  { column: 'start_date', passes: (cell) => cell !== null },
  { column: 'contradicted_on', passes: (cell) => cell === null || (asOf !== null && String(cell) > asOf) },
  ...(asOf === null ? [] : [{ column: 'filed_at', passes: (cell: Cell) => String(cell) <= asOf }]),
];

type TableOpener = <Row>(table: Table<Row>) => TableReader<Row>;

/**
 * Returns a reader for a release whose tables may be local or remote.
 * @param openTable opens a table; throws if it is missing
 */
export const createReleaseReader = <Identity extends ReleaseDescription>(
  manifest: Identity,
  openTable: TableOpener,
): ReleaseReader & { readonly manifest: Identity } => new Release(manifest, openTable);

class Release<Identity extends ReleaseDescription> {
  readonly #tables = new Map<string, TableReader<unknown>>();
  /** Rows of the tables without a key that were read completely, by table name. */
  readonly #wholeTables = new Map<string, Promise<readonly unknown[]>>();
  #companies: readonly Company[] | undefined;

  constructor(
    readonly manifest: Identity,
    private readonly openTable: TableOpener,
  ) {}

  /** Returns all securities, sorted by ticker. */
  async securities(): Promise<readonly Security[]> {
    return this.allOf(SECURITIES);
  }

  /** Returns all companies, sorted by CIK. */
  async companies(): Promise<readonly Company[]> {
    this.#companies ??= await this.#read(COMPANIES, (table) => table.readAll());
    return this.#companies;
  }

  async company(cik: number): Promise<Company | null> {
    return this.#read(COMPANIES, async (table) => (await table.rowsOf(cik))[0] ?? null);
  }

  /**
   * Returns the company's reported values, sorted by metric, unit, end, start, rank.
   * @param keys selects metrics; default: all
   */
  async reportedValues(cik: number, keys?: readonly string[]): Promise<readonly ReportedValue[]> {
    const tests = keys === undefined ? [] : [makeCondition('metric_key', keys)];
    return this.#read(REPORTED_VALUES, (table) => table.rowsOf(cik, ...tests));
  }

  /** Returns the start dates of the company's quarters, by end date, as known on `asOf`; null means today. */
  async quarterStarts(cik: number, asOf: string | null): Promise<QuarterStarts> {
    const quarters = await this.rowsOf(REPORTED_VALUES, cik, ...makeEffectiveQuarterConditions(asOf));
    // The cast is safe, because a condition excludes rows without a start.
    return new Map(quarters.map(({ end, start }) => [end, start as string]));
  }

  async splits(cik: number): Promise<readonly Split[]> {
    return this.#read(SPLITS, (table) => table.rowsOf(cik));
  }

  async rawConcepts(cik: number): Promise<readonly RawConceptSummary[]> {
    return this.#read(RAW_CONCEPTS, (table) => table.rowsOf(cik));
  }

  /**
   * Returns the named columns of the screener. Names are those in `contract/screen-columns.ts`, and cik, ticker,
   * exchange, entity_name.
   * @param rows positions of the requested rows; default: all
   */
  async screen(columns: readonly string[], rows?: readonly number[]): Promise<ScreenTable> {
    return this.#read(SCREEN, async (table) => {
      const arrays = (await table.columns(columns, rows)) as (string | number | null)[][];
      const byName = Object.fromEntries(columns.map((name, at) => [name, arrays[at] as (string | number | null)[]]));
      return { length: rows?.length ?? (await table.countRows()), columns: byName };
    });
  }

  /** Returns the number of companies with each metric or ratio, by key. */
  async coverage(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.allOf(COVERAGE);
    return new Map(rows.map(({ metricKey, companyCount }) => [metricKey, companyCount]));
  }

  /**
   * Whether the release contains a table, or a column of the table. A release may lack optional tables
   * (`TABLES_BY_FAMILY`), for example if the build had no source files for them.
   */
  includes({ name }: Table, column?: string): boolean {
    const table = this.manifest.tables[name];
    return table !== undefined && (column === undefined || table.columns[column] !== undefined);
  }

  /**
   * Returns the rows of one key (usually a company), in the table's order; empty if the release lacks the table.
   * @param tests selects rows that pass all conditions
   */
  async rowsOf<Row>(table: Table<Row>, key: number, ...tests: readonly CellCondition[]): Promise<readonly Row[]> {
    return this.includes(table) ? this.#read(table, (reader) => reader.rowsOf(key, ...tests)) : [];
  }

  /** Returns a page of the rows that `rowsOf` would return, and the total number of rows. */
  async pageOf<Row>(table: Table<Row>, key: number, page: PageRequest, ...tests: CellCondition[]) {
    if (!this.includes(table)) return { rows: [], total: 0 };
    return this.#read(table, (reader) => reader.pageOf(key, page, ...tests));
  }

  /**
   * Returns the rows with keys from `firstKey` to `lastKey`, in the table's order; empty if the release lacks the
   * table.
   */
  async rowsBetween<Row>(table: Table<Row>, firstKey: number, lastKey: number): Promise<readonly Row[]> {
    return this.includes(table) ? this.#read(table, (reader) => reader.rowsBetween(firstKey, lastKey)) : [];
  }

  /** Returns the rows of all given keys, in the table's order. Faster than one `rowsOf` per key. */
  async rowsOfEach<Row>(table: Table<Row>, keys: Iterable<number>): Promise<readonly Row[]> {
    return this.includes(table) ? this.#read(table, (reader) => reader.rowsOfEach(keys)) : [];
  }

  /**
   * Returns columns of a small table.
   * @param rows positions of the requested rows; default: all
   */
  async columnsOf(table: Table, columns: readonly string[], rows?: readonly number[]): Promise<(readonly Cell[])[]> {
    return this.#read(table, (reader) => reader.columns(columns, rows));
  }

  /** Returns the row groups that may contain keys from `firstKey` to `lastKey`, in order. */
  async groupsBetween(table: Table, firstKey: number, lastKey: number): Promise<readonly RowGroupRef[]> {
    return this.#read(table, (reader) => reader.groupsBetween(firstKey, lastKey));
  }

  /** Returns the named columns of the given row groups, read together, without reading other columns. */
  async columnsIn(table: Table, groups: readonly RowGroupRef[], names: readonly string[]): Promise<GroupColumns[]> {
    return this.#read(table, (reader) => reader.columnsIn(groups, names));
  }

  /** Returns all rows of a small table. */
  async allOf<Row>(table: Table<Row>): Promise<readonly Row[]> {
    if (!this.includes(table)) return [];
    const readAll = () => this.#read(table, (reader) => reader.readAll());
    if (table.key !== null) return readAll();
    // The cast is safe, because a table name always has the same row type.
    return readCached(this.#wholeTables, table.name, readAll) as Promise<readonly Row[]>;
  }

  async close(): Promise<void> {
    for (const table of this.#tables.values()) table.close();
    this.#tables.clear();
    this.#wholeTables.clear();
  }

  /** Reads from a table. A damaged table is reopened for the next read, because it may have been repaired. */
  async #read<Row, Result>(table: Table<Row>, query: (reader: TableReader<Row>) => Promise<Result>): Promise<Result> {
    const reader = this.#tableReader(table);
    try {
      return await query(reader);
    } catch (error) {
      if (error instanceof TableFailure && this.#tables.get(table.name) === reader) {
        this.#tables.delete(table.name);
        reader.close();
      }
      throw error;
    }
  }

  #tableReader<Row>(table: Table<Row>): TableReader<Row> {
    const openReader = this.#tables.get(table.name);
    // The cast is safe, because a table name always has the same reader type.
    if (openReader !== undefined) return openReader as TableReader<Row>;
    const reader = this.openTable(table);
    this.#tables.set(table.name, reader as TableReader<unknown>);
    return reader;
  }
}
