/** Reads requested rows and columns of one table: looks up row groups, then reads their column chunks. */

import { Failure, isFailure } from '../contract/failure.ts';
import { getOrInsert, joinLists, sumNumbers } from '../platform/collections.ts';
import { describeCause } from '../platform/files/system-error.ts';
import { computeMaxContentBytes, findWholeTableFault, type RowGroupSize } from './parquet/format/bounds.ts';
import { ColumnCells, decodeCells, selectRows } from './parquet/read/column-chunk.ts';
import { decodeChunkCells, decodeChunkIntegers } from './parquet/read/decode-cells.ts';
import { type ChunkPages, readPagesOfGroups } from './parquet/read/pages.ts';
import type { RowRange } from './parquet/read/runs.ts';
import { listStoredColumns, REPAIR_HINT, type StoredColumn, type TableFile } from './releases/manifest.ts';
import { createRowViewer, findRowRangeOfKeys, RowGroup, type RowSource } from './row-views.ts';
import type { Cell, Column } from './schema/columns.ts';
import type { Table } from './schema/declare-table.ts';

/** Selects rows by their value in one column. */
export interface CellCondition {
  readonly column: string;
  readonly passes: (value: Cell) => boolean;
}

/** Returns a condition that selects rows with one of these values in a column. */
export function makeCondition<Value extends Cell>(column: string, values: Iterable<Value>): CellCondition {
  const valueSet = new Set<Cell>(values);
  return { column, passes: (value) => valueSet.has(value) };
}

/** Offset of the first requested row, and maximum number of rows. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

export interface RowsOfPage<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** The manifest's data about a table of one release. */
interface StoredTable extends Pick<TableFile, 'rows' | 'columns'> {
  /** Path or address of the table's file, for messages. */
  readonly path: string;
}

/** A row group that a scan yields; columns are decoded on demand. */
export interface ScannedRowGroup<Row> {
  readonly rows: number;
  readonly cells: (column: string) => ColumnCells;
  readonly row: (index: number) => Row;
}

/** Columns of a row group, which are decoded when they are used. */
export interface GroupColumns {
  readonly rows: number;
  /** Whether no row has a value in the column. */
  isEmpty(column: string): boolean;
  /** @param onlyRows decodes only these rows, ascending and distinct */
  cells(column: string, onlyRows?: readonly number[]): readonly Cell[];
  /** Returns the column as a dictionary and an index per row. */
  indexedCells(column: string): ColumnCells;
  /** Returns a column of integers without nulls. */
  integers(column: string): Int32Array;
}

/** A range of indexes of row groups (`end` is exclusive). */
export interface GroupRange {
  readonly first: number;
  readonly end: number;
}

/**
 * For a table with more than MAX_CACHED_ROWS rows: the maximum number of row groups that stay cached, with decoded
 * columns.
 */
const MAX_CACHED_GROUPS = 4;
/** Tables with at most this number of rows, such as the names of all companies, are cached completely. */
const MAX_CACHED_ROWS = 30_000;
/** Maximum number of rows that are read individually from a column; for more rows, the column is read completely. */
const MAX_INDIVIDUAL_ROWS = 100;

export class TableReader<Row> {
  readonly rows: number;
  readonly #source: TableSource;
  /** Stored position of each table column; undefined if the release lacks the column. */
  readonly #storedPositions: readonly (number | undefined)[];
  readonly #viewRow: (rows: RowSource, row: number) => Row;
  /**
   * Row groups in the order in which they were last read, latest at the end. Not a Map, because V8 frees the entries of
   * a frequently changed Map only in full garbage collections.
   */
  readonly #cachedGroups: { readonly group: number; readonly reading: Promise<RowGroup> }[] = [];
  /** Columns that were read completely, by name. */
  readonly #wholeColumns = new Map<string, readonly Cell[]>();
  /** Names of columns from which individual rows were read. */
  readonly #partlyReadColumns = new Set<string>();

  /**
   * Throws the errors of `open`, and a data Failure if the release has a column of another type, or lacks a
   * non-nullable column without an `absent` value.
   */
  constructor(
    private readonly table: Table<Row>,
    { rows, columns, path }: StoredTable,
    open: () => TableSource,
  ) {
    this.rows = rows;
    const storedColumns = listStoredColumns({ columns });
    const positions = new Map(storedColumns.map(({ name }, position) => [name, position]));
    this.#storedPositions = table.columns.map(({ name }) => positions.get(name));
    this.#viewRow = createRowViewer(table);
    for (const column of table.columns) requireUsable(path, column, storedColumns[positions.get(column.name) ?? -1]);
    this.#source = open();
  }

  /**
   * Returns the rows of one key that pass all conditions, in the table's order. Rows are views: fields are decoded on
   * demand, and views have no own properties to spread, compare or print.
   */
  async rowsOf(key: number, ...tests: readonly CellCondition[]): Promise<Row[]> {
    return (await this.pageOf(key, { offset: 0, limit: Number.POSITIVE_INFINITY }, ...tests)).rows;
  }

  /** Returns a page of the rows that `rowsOf` would return, and the total number of rows. */
  async pageOf(key: number, { offset, limit }: PageRequest, ...tests: CellCondition[]): Promise<RowsOfPage<Row>> {
    const [location] = await this.#source.groupsBetween(key, key);
    if (location === undefined) return { rows: [], total: 0 };
    const group = await this.#readGroup(location);
    const range = this.#rowsOfKey(group, key);
    if (tests.length === 0) {
      const from = range.from + offset;
      const span = { from: Math.min(from, range.to), to: Math.min(from + limit, range.to) };
      return { rows: this.#viewRows(group.readRange(span), span), total: range.to - range.from };
    }
    const matches = this.#selectRows(group, range, tests);
    const pageRows = matches.slice(offset, offset + limit);
    const [firstRow = 0, lastRow = -1] = [pageRows[0], pageRows.at(-1)];
    const source = group.readRange({ from: firstRow, to: lastRow + 1 });
    return { rows: pageRows.map((row) => this.#viewRow(source, row - source.firstRow)), total: matches.length };
  }

  /** Returns the rows with keys from `firstKey` to `lastKey`, in the table's order, as views. */
  async rowsBetween(firstKey: number, lastKey: number): Promise<Row[]> {
    const locations = await this.#source.groupsBetween(firstKey, lastKey);
    const groups = await Promise.all(locations.map((location) => this.#readGroup(location)));
    return groups.flatMap((group) => {
      const range = findRowRangeOfKeys(group.cells(this.#keyColumnIndex), firstKey, lastKey);
      return this.#viewRows(group.readRange(range), range);
    });
  }

  /** Returns the rows of all given keys, in the table's order, as views. Reads each row group once. */
  async rowsOfEach(keys: Iterable<number>): Promise<Row[]> {
    const ascending = [...new Set(keys)].sort((a, b) => a - b);
    const lookups: { readonly location: RowGroupRef; readonly keys: number[] }[] = [];
    for (const key of ascending) {
      const lastLookup = lookups.at(-1);
      if (lastLookup !== undefined && key <= lastLookup.location.lastKey) lastLookup.keys.push(key);
      else for (const location of await this.#source.groupsBetween(key, key)) lookups.push({ location, keys: [key] });
    }
    const groups = await Promise.all(lookups.map(({ location }) => this.#readGroup(location)));
    return groups.flatMap((group, index) =>
      (lookups[index]?.keys ?? []).flatMap((key) => this.#viewRows(group.allRows, this.#rowsOfKey(group, key))),
    );
  }

  /** Returns all rows, as views. */
  async readAll(): Promise<Row[]> {
    const groups = await this.#readGroups(await this.#groupsOfWholeTable(this.table.columns.length));
    return joinLists(groups.map((group) => this.#viewRows(group.allRows, { from: 0, to: group.rows })));
  }

  /**
   * Counts the rows of all row groups. Throws a data Failure if the manifest states another number, as a forged
   * manifest may, or if the table is too large to be read completely.
   */
  async countRows(): Promise<number> {
    await this.#groupsOfWholeTable(1);
    return this.rows;
  }

  async groupSizes(): Promise<number[]> {
    return (await this.#source.allGroups()).map(({ rows }) => rows);
  }

  /** Yields the row groups in the range, by default all. Only one row group is in memory at a time. */
  async *scan(range?: GroupRange): AsyncGenerator<ScannedRowGroup<Row>> {
    for (const location of await this.#groupsInRange(range)) {
      for (const group of await this.#readGroups([location])) {
        yield {
          rows: group.rows,
          cells: (name) => group.cells(this.#columnIndexOf(name)),
          row: (index) => this.#viewRow(group.allRows, index),
        };
      }
    }
  }

  /** Yields the cells of one column by row group, without reading other columns. */
  async *scanColumn(name: string, range?: GroupRange): AsyncGenerator<ColumnCells> {
    for (const group of await this.#groupsInRange(range))
      for (const columns of await this.columnsIn([group], [name])) yield columns.indexedCells(name);
  }

  /**
   * Returns columns of a small table, without reading other columns. The first request for a few rows of a column reads
   * only these rows. A later request for the same column reads and caches all its rows.
   */
  async columns(names: readonly string[], rows?: readonly number[]): Promise<(readonly Cell[])[]> {
    const isFirst = (name: string) => !this.#wholeColumns.has(name) && !this.#partlyReadColumns.has(name);
    const partialNames = rows === undefined || rows.length > MAX_INDIVIDUAL_ROWS ? [] : names.filter(isFirst);
    const partialCells = await this.#readCells(partialNames, rows);
    for (const name of partialNames) this.#partlyReadColumns.add(name);
    const unreadNames = names.filter((name) => !partialCells.has(name) && !this.#wholeColumns.has(name));
    const wholeColumns = new Map([...this.#wholeColumns, ...(await this.#readCells(unreadNames))]);
    for (const name of unreadNames) this.#wholeColumns.set(name, wholeColumns.get(name) as Cell[]);
    return names.map((name) => {
      const allCells = wholeColumns.get(name) as readonly Cell[];
      return partialCells.get(name) ?? (rows === undefined ? allCells : rows.map((row) => allCells[row] as Cell));
    });
  }

  /** Returns the row groups that may contain keys from `firstKey` to `lastKey`, in order. */
  groupsBetween(firstKey: number, lastKey: number): Promise<readonly RowGroupRef[]> {
    return this.#source.groupsBetween(firstKey, lastKey);
  }

  /** Returns the named columns of the given row groups, read together, without reading other columns. */
  async columnsIn(groups: readonly RowGroupRef[], names: readonly string[]): Promise<GroupColumns[]> {
    const fault = findWholeTableFault(sumNumbers(groups.map(({ rows }) => rows)), names.length);
    if (fault !== null) throw this.#source.damagedTableFailure(fault);
    const columns = names.flatMap((name) => {
      const index = this.#columnIndexOf(name);
      const position = this.#storedPositions[index];
      return position === undefined ? [] : [{ column: this.table.columns[index] as Column, position }];
    });
    const positions = columns.map(({ position }) => position);
    const chunks = groups.length * columns.length === 0 ? [] : await this.#source.readColumns(groups, positions);
    const groupChunks = groups.map((group, index) => ({
      chunks: columns.map(({ column }, at) => ({ column, bytes: chunks[index]?.[at] as Uint8Array })),
      size: { rows: group.rows, maxContentBytes: computeMaxContentBytes(group) },
    }));
    const pagesByGroup = this.#rethrowAsDamaged(() => readPagesOfGroups(groupChunks));
    return groups.map(({ rows }, index) => {
      const byName = new Map(pagesByGroup[index]?.map((pages) => [pages.column.name, pages]));
      return this.#columnsOfPages(rows, byName);
    });
  }

  /** @param byName the pages of each column that the release has */
  #columnsOfPages(rowCount: number, byName: ReadonlyMap<string, ChunkPages>): GroupColumns {
    const absentCell = (name: string) => this.table.columns[this.#columnIndexOf(name)]?.absent ?? null;
    return {
      rows: rowCount,
      isEmpty: (name) => {
        const pages = byName.get(name);
        return pages === undefined ? absentCell(name) === null : pages.data.every(({ count }) => count === 0);
      },
      cells: (name, onlyRows) => {
        const pages = byName.get(name);
        if (pages === undefined) return Array<Cell>(onlyRows?.length ?? rowCount).fill(absentCell(name));
        return this.#rethrowAsDamaged(() => decodeChunkCells(pages, rowCount, onlyRows));
      },
      indexedCells: (name) => {
        const pages = byName.get(name);
        if (pages === undefined) return new ColumnCells([absentCell(name)], new Uint32Array(rowCount));
        return this.#rethrowAsDamaged(() => decodeCells(pages, { from: 0, to: rowCount }));
      },
      integers: (name) => {
        const pages = byName.get(name);
        if (pages === undefined) throw new RangeError(`the column ${name} was not read`);
        return this.#rethrowAsDamaged(() => decodeChunkIntegers(pages, rowCount));
      },
    };
  }

  damagedTableFailure(reason: string): Failure {
    return this.#source.damagedTableFailure(reason);
  }

  close(): void {
    this.#source.close();
  }

  async #groupsInRange(range: GroupRange | undefined): Promise<readonly RowGroupRef[]> {
    const groups = await this.#source.allGroups();
    return range === undefined ? groups : groups.slice(range.first, range.end);
  }

  /**
   * Returns all row groups. Throws if their number of rows differs from the manifest, or if the table has too many rows
   * to read `columns` columns completely.
   */
  async #groupsOfWholeTable(columns: number): Promise<readonly RowGroupRef[]> {
    const groups = await this.#source.allGroups();
    const sum = sumNumbers(groups.map(({ rows }) => rows));
    const fault = sum === this.rows ? findWholeTableFault(sum, columns) : `it has ${sum} rows instead of ${this.rows}`;
    if (fault !== null) throw this.#source.damagedTableFailure(fault);
    return groups;
  }

  #viewRows(rowSource: RowSource, { from, to }: RowRange): Row[] {
    return Array.from({ length: to - from }, (_, row) => this.#viewRow(rowSource, from + row - rowSource.firstRow));
  }

  #rowsOfKey(group: RowGroup, key: number): RowRange {
    return findRowRangeOfKeys(group.cells(this.#keyColumnIndex), key, key);
  }

  #selectRows(group: RowGroup, range: RowRange, tests: readonly CellCondition[]): number[] {
    const cellTests = tests.map(({ column, passes }) => ({ cells: group.cells(this.#columnIndexOf(column)), passes }));
    return selectRows(cellTests, range);
  }

  #columnIndexOf(name: string): number {
    const index = this.table.columns.findIndex((column) => column.name === name);
    if (index < 0) throw new Error(`the table ${this.table.name} has no column ${name}`);
    return index;
  }

  get #keyColumnIndex(): number {
    const column = this.table.columns.findIndex(({ field }) => field === this.table.key);
    if (column < 0) throw new Error(`the table ${this.table.name} has no key`);
    return column;
  }

  /** Returns a row group and caches it, because the next request often needs a neighbouring key. */
  async #readGroup(location: RowGroupRef): Promise<RowGroup> {
    const { group } = location;
    const index = this.#cachedGroups.findIndex((cached) => cached.group === group);
    const [cachedGroup] = index < 0 ? [] : this.#cachedGroups.splice(index, 1);
    const read = async () => (await this.#readGroups([location]))[0] as RowGroup;
    const requested = cachedGroup ?? { group, reading: read() };
    this.#cachedGroups.push(requested);
    if (this.rows > MAX_CACHED_ROWS && this.#cachedGroups.length > MAX_CACHED_GROUPS) this.#cachedGroups.shift();
    try {
      return await requested.reading;
    } catch (error) {
      // Removes the row group from the cache, so that the next request reads the row group again.
      const failedIndex = this.#cachedGroups.indexOf(requested);
      if (failedIndex >= 0) this.#cachedGroups.splice(failedIndex, 1);
      throw error;
    }
  }

  async #readGroups(locations: readonly RowGroupRef[]): Promise<RowGroup[]> {
    const chunksByGroup = await this.#source.readGroups(locations);
    return locations.map((location, index) => {
      const bytes = this.#storedPositions.map((position) => chunksByGroup[index]?.[position ?? -1]);
      return new RowGroup(location, this.table.columns, bytes, (decode) => this.#rethrowAsDamaged(decode));
    });
  }

  /** Returns the cells of columns by name, for all rows of the table or for the given rows. */
  async #readCells(names: readonly string[], rows?: readonly number[]): Promise<Map<string, readonly Cell[]>> {
    if (names.length === 0) return new Map();
    const ascending = rows && [...new Set(rows)].sort((a, b) => a - b);
    let start = 0;
    const groupsToRead = (await this.#groupsOfWholeTable(names.length)).flatMap((group) => {
      const groupRows = ascending?.map((row) => row - start).filter((row) => row >= 0 && row < group.rows);
      start += group.rows;
      return groupRows?.length === 0 ? [] : [{ group, groupRows }];
    });
    const groupRefs = groupsToRead.map(({ group }) => group);
    const groups = await this.columnsIn(groupRefs, names);
    const indexes = new Map(ascending?.map((row, index) => [row, index]));
    return new Map(
      names.map((name) => {
        const cells = joinLists(groups.map((group, index) => group.cells(name, groupsToRead[index]?.groupRows)));
        return [name, rows === undefined ? cells : rows.map((row) => cells[indexes.get(row) as number] as Cell)];
      }),
    );
  }

  #rethrowAsDamaged<Result>(decode: () => Result): Result {
    try {
      return decode();
    } catch (cause) {
      throw isFailure(cause) ? cause : this.#source.damagedTableFailure(describeCause(cause), cause);
    }
  }
}

/** Throws a data Failure if a column of a release has another type, or is missing and cannot be. */
function requireUsable(path: string, { name, type, nullable, absent }: Column, stored?: StoredColumn): void {
  if (stored === undefined ? nullable || absent !== undefined : stored.type === type) return;
  const fault =
    stored === undefined
      ? `has no column ${name}, which this version of fin needs`
      : `has the column ${name} of type ${stored.type}, but this version of fin needs type ${type}`;
  throw new Failure('data', `The release table ${path} ${fault}.`, { hint: REPAIR_HINT });
}

/**
 * Returns the result of a cached read, or reads and caches the result. Removes a failed read from the cache, so that
 * the next request reads again.
 */
export async function readCached<Key, T>(cache: Map<Key, Promise<T>>, key: Key, read: () => Promise<T>): Promise<T> {
  try {
    return await getOrInsert(cache, key, read);
  } catch (error) {
    cache.delete(key);
    throw error;
  }
}

/**
 * A row group as located by a source, which has checked that the number of rows is plausible for the number of bytes.
 */
export interface RowGroupRef extends RowGroupSize {
  /** Identifies the row group within the table. */
  readonly group: number;
  /** Key of the last row; meaningless for a table without a key. */
  readonly lastKey: number;
}

/** The source of a table's bytes: a local file, or ranges of a published file. */
export interface TableSource<Group extends RowGroupRef = RowGroupRef> {
  /**
   * Returns the row groups that may contain keys from `firstKey` to `lastKey`, in order. A single key is in at most one
   * row group, except in tables that are only read by ranges of keys.
   */
  groupsBetween(firstKey: number, lastKey: number): Promise<readonly Group[]>;
  /** Returns all row groups, in order. */
  allGroups(): Promise<readonly Group[]>;
  /** Returns all column chunks of each row group. Checksums are verified. */
  readGroups(groups: readonly Group[]): Promise<readonly ColumnChunks[]>;
  /** Returns the column chunks at the given positions of each row group. Checksums are verified. */
  readColumns(groups: readonly Group[], positions: readonly number[]): Promise<readonly ColumnChunks[]>;
  damagedTableFailure(reason: string, cause?: unknown): Failure;
  close(): void;
}

/** Column chunks of one row group: all chunks in stored order, or selected chunks in requested order. */
export type ColumnChunks = readonly Uint8Array[];
