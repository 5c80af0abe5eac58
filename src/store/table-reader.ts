/** Reads requested rows and columns of one table: looks up row groups, then reads their column chunks. */
import { Failure, isFailure } from '../contract/failure.ts';
import { sumNumbers } from '../platform/collections.ts';
import { describeCause } from '../platform/system-error.ts';
import { computeMaxContentBytes, findWholeTableFault } from './parquet/format/bounds.ts';
import { decodeChunkCells, decodeChunkIntegers, readCellsOfGroups } from './parquet/read/cells.ts';
import { ColumnCells, decodeCells, selectRows } from './parquet/read/column-chunk.ts';
import { type ChunkPages, readPagesOfGroups, type StoredChunk } from './parquet/read/pages.ts';
import { LazyValues } from './parquet/read/plain-values.ts';
import { RowGroupChunks } from './parquet/read/row-group-chunks.ts';
import type { RowRange } from './parquet/read/runs.ts';
import { listStoredColumns, REPAIR_HINT, type StoredColumn, type TableFile } from './releases/manifest.ts';
import { createRowViewer, findRowRangeOfKeys, RowGroup, type RowSource } from './row-views.ts';
import type { Cell, Column, Table } from './schema/table.ts';
import type { RowGroupRef, TableSource } from './table-source.ts';

/** Selects rows by their value in one column. */
export interface CellCondition {
  readonly column: string;
  readonly passes: (value: Cell) => boolean;
}

/** Returns a condition that selects rows with one of these values in a column. */
export function createValueCondition<Value extends Cell>(column: string, values: Iterable<Value>): CellCondition {
  const wantedValues = new Set<Cell>(values);
  return { column, passes: (value) => wantedValues.has(value) };
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
export interface StoredTable extends Pick<TableFile, 'rows' | 'columns'> {
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

/** A range of row groups by number (`end` is exclusive). */
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

interface CachedGroup {
  readonly groupNumber: number;
  readonly reading: Promise<RowGroup>;
}

export class TableReader<Row> {
  readonly rows: number;
  readonly #table: Table<Row>;
  readonly #path: string;
  readonly #source: TableSource;
  readonly #storedColumns: readonly StoredColumn[];
  /** Stored position of each table column; undefined if the release lacks the column. */
  readonly #storedPositions: readonly (number | undefined)[];
  readonly #viewRow: (rows: RowSource, row: number) => Row;
  /**
   * Row groups in the order in which they were last read, latest at the end. Not a Map, because V8 frees the entries of
   * a frequently changed Map only in full garbage collections.
   */
  readonly #cachedGroups: CachedGroup[] = [];
  /** Columns that were read completely, by position. */
  readonly #wholeColumns = new Map<number, readonly Cell[]>();
  /** Positions of columns from which individual rows were read. */
  readonly #partlyReadColumns = new Set<number>();

  /**
   * Throws the errors of `openSource`, and a data Failure if the release has a column of another type, or lacks a
   * non-nullable column without an `absent` value.
   */
  constructor(table: Table<Row>, { rows, columns, path }: StoredTable, openSource: () => TableSource) {
    this.rows = rows;
    this.#table = table;
    this.#path = path;
    this.#storedColumns = listStoredColumns({ columns });
    const storedPositionByName = new Map(this.#storedColumns.map(({ name }, position) => [name, position]));
    this.#storedPositions = table.columns.map(({ name }) => storedPositionByName.get(name));
    this.#viewRow = createRowViewer(table);
    for (const columnIndex of table.columns.keys()) this.#checkColumn(columnIndex);
    this.#source = openSource();
  }

  /**
   * Returns the rows of one key that pass all conditions, in the table's order. Rows are views: fields are decoded on
   * demand, and views have no own properties to spread, compare or print.
   */
  async rowsOf(key: number, ...conditions: readonly CellCondition[]): Promise<Row[]> {
    return (await this.pageOf(key, { offset: 0, limit: Number.POSITIVE_INFINITY }, ...conditions)).rows;
  }

  /** Returns a page of the rows that `rowsOf` would return, and the total number of rows. */
  async pageOf(
    key: number,
    { offset, limit }: PageRequest,
    ...conditions: readonly CellCondition[]
  ): Promise<RowsOfPage<Row>> {
    const [location] = await this.#source.groupsBetween(key, key);
    if (location === undefined) return { rows: [], total: 0 };
    const group = await this.#readGroup(location);
    const keyRowRange = this.#rowsOfKey(group, key);
    if (conditions.length === 0) {
      const pageRange = {
        from: Math.min(keyRowRange.from + offset, keyRowRange.to),
        to: Math.min(keyRowRange.from + offset + limit, keyRowRange.to),
      };
      return { rows: this.#viewRows(group.readRange(pageRange), pageRange), total: keyRowRange.to - keyRowRange.from };
    }
    const matchingRows = this.#selectRows(group, keyRowRange, conditions);
    const pageRows = matchingRows.slice(offset, offset + limit);
    const [firstRow = 0, lastRow = -1] = [pageRows[0], pageRows.at(-1)];
    const pageRowSource = group.readRange({ from: firstRow, to: lastRow + 1 });
    return {
      rows: pageRows.map((row) => this.#viewRow(pageRowSource, row - pageRowSource.firstRow)),
      total: matchingRows.length,
    };
  }

  /**
   * Returns a map from values of `keyColumn` to values of `valueColumn`, for the rows of a key that pass all
   * conditions. If several rows have the same value in `keyColumn`, the last row is used.
   */
  async readColumnMap(
    key: number,
    keyColumn: string,
    valueColumn: string,
    ...conditions: readonly CellCondition[]
  ): Promise<Map<Cell, Cell>> {
    const [location] = await this.#source.groupsBetween(key, key);
    if (location === undefined) return new Map();
    const group = await this.#readGroup(location);
    const [keys, cells] = [group.cells(this.#columnIndexOf(keyColumn)), group.cells(this.#columnIndexOf(valueColumn))];
    const lastRowByKeyIndex = new Map<number, number>();
    for (const row of this.#selectRows(group, this.#rowsOfKey(group, key), conditions))
      lastRowByKeyIndex.set(keys.indices[row] as number, row);
    return new Map(Array.from(lastRowByKeyIndex.values(), (row) => [keys.cellAt(row), cells.cellAt(row)]));
  }

  /** Returns the rows with keys from `firstKey` to `lastKey`, in the table's order, as views. */
  async rowsBetween(firstKey: number, lastKey: number): Promise<Row[]> {
    const groups = await Promise.all(
      (await this.#source.groupsBetween(firstKey, lastKey)).map((location) => this.#readGroup(location)),
    );
    return groups.flatMap((group) => {
      const range = findRowRangeOfKeys(group.cells(this.#keyColumnIndex), firstKey, lastKey);
      return this.#viewRows(group.readRange(range), range);
    });
  }

  /** Returns the rows of all given keys, in the table's order, as views. Reads each row group once. */
  async rowsOfEach(keys: Iterable<number>): Promise<Row[]> {
    const ascendingKeys = [...new Set(keys)].sort((a, b) => a - b);
    const groupsWithKeys: { readonly location: RowGroupRef; readonly keys: number[] }[] = [];
    for (const key of ascendingKeys) {
      const lastGroupWithKeys = groupsWithKeys.at(-1);
      if (lastGroupWithKeys !== undefined && key <= lastGroupWithKeys.location.lastKey)
        lastGroupWithKeys.keys.push(key);
      else
        for (const location of await this.#source.groupsBetween(key, key))
          groupsWithKeys.push({ location, keys: [key] });
    }
    const groups = await Promise.all(groupsWithKeys.map(({ location }) => this.#readGroup(location)));
    return groups.flatMap((group, index) => {
      const wantedRows = (groupsWithKeys[index]?.keys ?? []).flatMap((key) => {
        const { from, to } = this.#rowsOfKey(group, key);
        return Array.from({ length: to - from }, (_, row) => from + row);
      });
      const { rows: rowSource, positions: rowPositions } = group.readRows(wantedRows);
      return rowPositions.map((position) => this.#viewRow(rowSource, position));
    });
  }

  /** Returns all rows, as views. */
  async readAll(): Promise<Row[]> {
    const groups = await this.#readGroups(await this.#groupsOfWholeTable(this.#table.columns.length));
    return groups.flatMap((group) => this.#viewRows(group.allRows, { from: 0, to: group.rows }));
  }

  /**
   * Counts the rows of all row groups. Throws a data Failure if the manifest states another number, as a forged
   * manifest may, or if the table is too large to be read completely.
   */
  async countRows(): Promise<number> {
    await this.#groupsOfWholeTable(1);
    return this.rows;
  }

  /** Returns the number of rows of each row group, in order. */
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
  async *scanColumn(columnName: string, range?: GroupRange): AsyncGenerator<ColumnCells> {
    const columnIndex = this.#columnIndexOf(columnName);
    for (const group of await this.#groupsInRange(range)) yield await this.#readColumn(group, columnIndex);
  }

  /**
   * Returns columns of a small table, without reading other columns. The first request for a few rows of a column reads
   * only these rows. A later request for the same column reads and caches all its rows.
   */
  async columns(columnNames: readonly string[], rows?: readonly number[]): Promise<(readonly Cell[])[]> {
    const columnIndices = columnNames.map((name) => this.#columnIndexOf(name));
    const isFirstRead = (columnIndex: number) =>
      !this.#wholeColumns.has(columnIndex) && !this.#partlyReadColumns.has(columnIndex);
    const partialColumnIndices =
      rows === undefined || rows.length > MAX_INDIVIDUAL_ROWS ? [] : columnIndices.filter(isFirstRead);
    const cellsByColumn = await this.#readCells(partialColumnIndices, rows);
    for (const columnIndex of partialColumnIndices) this.#partlyReadColumns.add(columnIndex);
    const unreadColumnIndices = columnIndices.filter(
      (columnIndex) => !cellsByColumn.has(columnIndex) && !this.#wholeColumns.has(columnIndex),
    );
    const wholeColumns = new Map([...this.#wholeColumns, ...(await this.#readCells(unreadColumnIndices))]);
    for (const columnIndex of unreadColumnIndices)
      this.#wholeColumns.set(columnIndex, wholeColumns.get(columnIndex) as Cell[]);
    return columnIndices.map((columnIndex) => {
      const allCells = wholeColumns.get(columnIndex) as readonly Cell[];
      return (
        cellsByColumn.get(columnIndex) ?? (rows === undefined ? allCells : rows.map((row) => allCells[row] as Cell))
      );
    });
  }

  /** Returns the row groups that may contain keys from `firstKey` to `lastKey`, in order. */
  groupsBetween(firstKey: number, lastKey: number): Promise<readonly RowGroupRef[]> {
    return this.#source.groupsBetween(firstKey, lastKey);
  }

  /** Returns the named columns of the given row groups, read together, without reading other columns. */
  async columnsIn(groups: readonly RowGroupRef[], columnNames: readonly string[]): Promise<GroupColumns[]> {
    const fault = findWholeTableFault(sumNumbers(groups.map(({ rows }) => rows)), columnNames.length);
    if (fault !== null) throw this.#source.damagedTableFailure(fault);
    const storedColumnIndices = columnNames
      .map((name) => this.#columnIndexOf(name))
      .filter((columnIndex) => this.#storedPositions[columnIndex] !== undefined);
    const chunksByGroup =
      storedColumnIndices.length === 0 ? [] : await this.#readStoredChunks(groups, storedColumnIndices);
    const groupChunks = groups.map((group, index) => ({
      chunks: chunksByGroup[index] ?? [],
      size: { rows: group.rows, maxContentBytes: computeMaxContentBytes(group) },
    }));
    const pagesByGroup = this.#rethrowAsDamaged(() => readPagesOfGroups(groupChunks));
    return groups.map(({ rows }, index) => {
      const pagesByName = new Map(pagesByGroup[index]?.map((pages) => [pages.column.name, pages]));
      return this.#columnsOfPages(rows, pagesByName);
    });
  }

  /** @param pagesByName the pages of each column that the release has */
  #columnsOfPages(rowCount: number, pagesByName: ReadonlyMap<string, ChunkPages>): GroupColumns {
    const findAbsentCell = (columnName: string) => this.#column(this.#columnIndexOf(columnName)).absent ?? null;
    return {
      rows: rowCount,
      isEmpty: (name) => {
        const pages = pagesByName.get(name);
        return pages === undefined ? findAbsentCell(name) === null : pages.data.every(({ count }) => count === 0);
      },
      cells: (name, onlyRows) => {
        const pages = pagesByName.get(name);
        if (pages === undefined) return Array<Cell>(onlyRows?.length ?? rowCount).fill(findAbsentCell(name));
        return this.#rethrowAsDamaged(() => decodeChunkCells(pages, rowCount, onlyRows));
      },
      indexedCells: (name) => {
        const pages = pagesByName.get(name);
        if (pages === undefined)
          return new ColumnCells(new LazyValues([findAbsentCell(name)]), new Uint32Array(rowCount));
        return this.#rethrowAsDamaged(() => decodeCells(pages, { from: 0, to: rowCount }));
      },
      integers: (name) => {
        const pages = pagesByName.get(name);
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
   * to read `columnCount` columns completely.
   */
  async #groupsOfWholeTable(columnCount: number): Promise<readonly RowGroupRef[]> {
    const groups = await this.#source.allGroups();
    const storedRowCount = groups.reduce((sum, group) => sum + group.rows, 0);
    const fault =
      storedRowCount === this.rows
        ? findWholeTableFault(storedRowCount, columnCount)
        : `it has ${storedRowCount} rows instead of ${this.rows}`;
    if (fault !== null) throw this.#source.damagedTableFailure(fault);
    return groups;
  }

  #viewRows(rowSource: RowSource, { from, to }: RowRange): Row[] {
    return Array.from({ length: to - from }, (_, row) => this.#viewRow(rowSource, from + row - rowSource.firstRow));
  }

  #rowsOfKey(group: RowGroup, key: number): RowRange {
    return findRowRangeOfKeys(group.cells(this.#keyColumnIndex), key, key);
  }

  #selectRows(group: RowGroup, range: RowRange, conditions: readonly CellCondition[]): number[] {
    const cellTests = conditions.map(({ column, passes }) => ({
      cells: group.cells(this.#columnIndexOf(column)),
      passes,
    }));
    return selectRows(cellTests, range);
  }

  #columnIndexOf(columnName: string): number {
    const columnIndex = this.#table.columns.findIndex((column) => column.name === columnName);
    if (columnIndex < 0) throw new Error(`the table ${this.#table.name} has no column ${columnName}`);
    return columnIndex;
  }

  get #keyColumnIndex(): number {
    const columnIndex = this.#table.columns.findIndex(({ field }) => field === this.#table.key);
    if (columnIndex < 0) throw new Error(`the table ${this.#table.name} has no key`);
    return columnIndex;
  }

  /** Returns a row group and caches it, because the next request often needs a neighbouring key. */
  async #readGroup(location: RowGroupRef): Promise<RowGroup> {
    const { group: groupNumber } = location;
    const cachedIndex = this.#cachedGroups.findIndex((cached) => cached.groupNumber === groupNumber);
    const [cachedGroup] = cachedIndex < 0 ? [] : this.#cachedGroups.splice(cachedIndex, 1);
    const requestedGroup = cachedGroup ?? {
      groupNumber,
      reading: this.#readGroups([location]).then(([rowGroup]) => rowGroup as RowGroup),
    };
    this.#cachedGroups.push(requestedGroup);
    if (this.rows > MAX_CACHED_ROWS && this.#cachedGroups.length > MAX_CACHED_GROUPS) this.#cachedGroups.shift();
    try {
      return await requestedGroup.reading;
    } catch (error) {
      // Removed from the cache, so that the next request reads the row group again.
      const failedIndex = this.#cachedGroups.indexOf(requestedGroup);
      if (failedIndex >= 0) this.#cachedGroups.splice(failedIndex, 1);
      throw error;
    }
  }

  async #readGroups(locations: readonly RowGroupRef[]): Promise<RowGroup[]> {
    const chunksByGroup = await this.#source.readGroups(locations);
    return locations.map((location, index) => {
      const chunkBytes = this.#storedPositions.map((position) => chunksByGroup[index]?.[position ?? -1]);
      const chunks = new RowGroupChunks(location, this.#table.columns, chunkBytes);
      return new RowGroup(location.rows, {
        cells: (columnIndex, range) => this.#rethrowAsDamaged(() => chunks.cells(columnIndex, range)),
        cellsAt: (columnIndex, rows) => this.#rethrowAsDamaged(() => chunks.cellsAt(columnIndex, rows)),
      });
    });
  }

  /** Returns the cells of columns by position, for all rows of the table or for the given rows. */
  async #readCells(columnIndices: readonly number[], rows?: readonly number[]): Promise<Map<number, readonly Cell[]>> {
    return columnIndices.length === 0
      ? new Map()
      : this.#readCellsIn(await this.#groupsOfWholeTable(columnIndices.length), columnIndices, rows);
  }

  /** Returns the cells of columns by position; rows are numbered from the first row of `groups`. */
  async #readCellsIn(
    groups: readonly RowGroupRef[],
    columnIndices: readonly number[],
    rows?: readonly number[],
  ): Promise<Map<number, readonly Cell[]>> {
    const ascendingRows = rows && [...new Set(rows)].sort((a, b) => a - b);
    const storedIndices = columnIndices.filter((columnIndex) => this.#storedPositions[columnIndex] !== undefined);
    const cellsOfGroups = new Map<number, Cell[][]>(storedIndices.map((columnIndex) => [columnIndex, []]));
    let groupStartRow = 0;
    const wantedGroups = groups.flatMap((group) => {
      const groupRows = ascendingRows?.map((row) => row - groupStartRow).filter((row) => row >= 0 && row < group.rows);
      groupStartRow += group.rows;
      return groupRows?.length === 0 || storedIndices.length === 0 ? [] : [{ group, groupRows }];
    });
    const chunksByGroup = await this.#readStoredChunks(
      wantedGroups.map(({ group }) => group),
      storedIndices,
    );
    const cellRequests = wantedGroups.map(({ group, groupRows }, index) => ({
      chunks: chunksByGroup[index] as StoredChunk[],
      size: { rows: group.rows, maxContentBytes: computeMaxContentBytes(group) },
      onlyRows: groupRows,
    }));
    for (const cells of this.#rethrowAsDamaged(() => readCellsOfGroups(cellRequests)))
      for (const [position, columnIndex] of storedIndices.entries())
        cellsOfGroups.get(columnIndex)?.push(cells[position] as Cell[]);
    const totalRowCount = sumNumbers(groups.map(({ rows }) => rows));
    const indexByRow = new Map(ascendingRows?.map((row, index) => [row, index]));
    return new Map(
      columnIndices.map((columnIndex) => {
        const cells = cellsOfGroups.get(columnIndex)?.flat();
        if (cells === undefined)
          return [
            columnIndex,
            Array<Cell>(rows?.length ?? totalRowCount).fill(this.#column(columnIndex).absent ?? null),
          ];
        return [
          columnIndex,
          rows === undefined ? cells : rows.map((row) => cells[indexByRow.get(row) as number] as Cell),
        ];
      }),
    );
  }

  /** Returns the stored column chunks of each row group, read together. */
  async #readStoredChunks(groups: readonly RowGroupRef[], columnIndices: readonly number[]): Promise<StoredChunk[][]> {
    if (groups.length === 0) return [];
    const positions = columnIndices.map((columnIndex) => this.#storedPositions[columnIndex] as number);
    const chunksByGroup = await this.#source.readColumns(groups, positions);
    return chunksByGroup.map((bytes) =>
      columnIndices.map((columnIndex, index) => ({
        column: this.#column(columnIndex),
        bytes: bytes[index] as Uint8Array,
      })),
    );
  }

  async #readColumn(group: RowGroupRef, columnIndex: number): Promise<ColumnCells> {
    const [chunks = []] =
      this.#storedPositions[columnIndex] === undefined ? [] : await this.#readStoredChunks([group], [columnIndex]);
    const cells = new RowGroupChunks(group, [this.#column(columnIndex)], [chunks[0]?.bytes]);
    return this.#rethrowAsDamaged(() => cells.cells(0, { from: 0, to: group.rows }));
  }

  #rethrowAsDamaged<Result>(decode: () => Result): Result {
    try {
      return decode();
    } catch (cause) {
      throw isFailure(cause) ? cause : this.#source.damagedTableFailure(describeCause(cause), cause);
    }
  }

  #column(columnIndex: number): Column {
    const column = this.#table.columns[columnIndex];
    if (column === undefined) throw new RangeError(`the table ${this.#table.name} has no column ${columnIndex}`);
    return column;
  }

  #checkColumn(columnIndex: number): void {
    const { name, type, nullable, absent } = this.#column(columnIndex);
    const storedColumn = this.#storedColumns[this.#storedPositions[columnIndex] ?? -1];
    if (storedColumn === undefined ? nullable || absent !== undefined : storedColumn.type === type) return;
    const fault =
      storedColumn === undefined
        ? `has no column ${name}, which this version of fin needs`
        : `has the column ${name} of type ${storedColumn.type}, but this version of fin needs type ${type}`;
    throw new Failure('data', `The release table ${this.#path} ${fault}.`, { hint: REPAIR_HINT });
  }
}

/** Returns the result of a cached read. Removes a failed read from the cache, so that the next request reads again. */
export async function awaitOrUncache<Key, T>(cache: Map<Key, unknown>, key: Key, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    cache.delete(key);
    throw error;
  }
}
