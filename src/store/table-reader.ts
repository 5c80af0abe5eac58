/** Reads only the requested data of one table: the places of row groups, then column chunks. */
import { Failure, isFailure } from '../contract/failure.ts';
import { sumNumbers } from '../platform/collections.ts';
import { reasonOf } from '../platform/system-error.ts';
import { REPAIR, type StoredColumn, storedColumns, type TableFile } from './manifest.ts';
import { maxContentBytes, wholeTableFault } from './parquet/bounds.ts';
import { readCells } from './parquet/read/cells.ts';
import { type ColumnCells, rowsWith } from './parquet/read/column-chunk.ts';
import type { StoredChunk } from './parquet/read/pages.ts';
import { RowGroupChunks } from './parquet/read/row-group-chunks.ts';
import type { RowRange } from './parquet/read/runs.ts';
import { RowGroup, type Rows, rowsOfKeys, viewsOf } from './row-views.ts';
import type { Cell, Column, Table } from './schema/table.ts';
import type { RowGroupRef, TableSource } from './table-source.ts';

/** A filter: rows whose value in a column passes. */
export interface Only {
  readonly column: string;
  readonly passes: (value: Cell) => boolean;
}

/** Selects rows with one of these values in a column. */
export function among<Value extends Cell>(column: string, values: Iterable<Value>): Only {
  const known = new Set<Cell>(values);
  return { column, passes: (value) => known.has(value) };
}

/** A number of rows, after an offset. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export interface RowsOfPage<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** The description of a table in one release. */
export interface StoredTable extends Pick<TableFile, 'rows' | 'columns'> {
  /** The table's file or address, for messages. */
  readonly path: string;
}

/** One row group of a scan. Columns are decoded only when they are read. */
export interface ScannedRowGroup<Row> {
  readonly rows: number;
  readonly cells: (column: string) => ColumnCells;
  readonly row: (index: number) => Row;
}

/** Consecutive row groups, by their numbers (end exclusive). */
export interface GroupRange {
  readonly first: number;
  readonly end: number;
}

/** Number of recently read row groups that are cached for a table with a key, with their decoded columns. */
const GROUPS_KEPT = 4;
/** Maximum number of rows of a table, such as the names of all companies, that is cached whole. */
const ROWS_KEPT = 30_000;
/** Maximum number of rows of a column that are read singly; for more, the column is read whole. */
const FEW = 100;

interface KeptGroup {
  readonly at: number;
  readonly reading: Promise<RowGroup>;
}

export class TableReader<Row> {
  readonly rows: number;
  readonly #table: Table<Row>;
  readonly #path: string;
  readonly #source: TableSource;
  readonly #stored: readonly StoredColumn[];
  /** Position of each column of the table in a row group; undefined for a column that the release lacks. */
  readonly #positions: readonly (number | undefined)[];
  readonly #view: (rows: Rows, row: number) => Row;
  /**
   * Most recently read last. Not a Map: V8 frees the entries of one that changes often only with a full garbage
   * collection.
   */
  #groups: readonly KeptGroup[] = [];
  /** Columns that were read whole. */
  readonly #columns = new Map<number, readonly Cell[]>();
  /** Columns of which single rows were read. */
  readonly #glimpsed = new Set<number>();

  /**
   * Throws as opening does, and a data Failure if the release lacks a column that is neither nullable nor has a value
   * for releases without it.
   */
  constructor(table: Table<Row>, { rows, columns, path }: StoredTable, open: () => TableSource) {
    this.rows = rows;
    this.#table = table;
    this.#path = path;
    this.#stored = storedColumns({ columns });
    const stored = new Map(this.#stored.map(({ name }, position) => [name, position]));
    this.#positions = table.columns.map(({ name }) => stored.get(name));
    this.#view = viewsOf(table);
    for (const at of table.columns.keys()) this.#check(at);
    this.#source = open();
  }

  /**
   * Returns every row of one key, in the table's order; with `only`, rows that pass in each of the columns. Rows are
   * views: fields are decoded on demand, and there are no own properties to spread, compare or print.
   */
  async rowsOf(key: number, ...only: readonly Only[]): Promise<Row[]> {
    return (await this.pageOf(key, { offset: 0, limit: Number.POSITIVE_INFINITY }, ...only)).rows;
  }

  /** Returns a page of these rows, and their total number. */
  async pageOf(key: number, { offset, limit }: Page, ...only: readonly Only[]): Promise<RowsOfPage<Row>> {
    const [location] = await this.#source.between(key, key);
    if (location === undefined) return { rows: [], total: 0 };
    const group = await this.#group(location);
    const own = this.#rowsOfKey(group, key);
    if (only.length === 0) {
      const range = { from: Math.min(own.from + offset, own.to), to: Math.min(own.from + offset + limit, own.to) };
      return { rows: this.#views(group.part(range), range), total: own.to - own.from };
    }
    const found = this.#rowsWith(group, own, only);
    const shown = found.slice(offset, offset + limit);
    const [first = 0, last = -1] = [shown[0], shown.at(-1)];
    const rows = group.part({ from: first, to: last + 1 });
    return { rows: shown.map((row) => this.#view(rows, row - rows.from)), total: found.length };
  }

  /**
   * Returns, for the rows of one key that pass in each column, a map from the values of one column to those of
   * another; if a value recurs, the last row counts.
   */
  async lastBy(key: number, by: string, column: string, ...only: readonly Only[]): Promise<Map<Cell, Cell>> {
    const [location] = await this.#source.between(key, key);
    if (location === undefined) return new Map();
    const group = await this.#group(location);
    const [keys, cells] = [group.cells(this.#named(by)), group.cells(this.#named(column))];
    const lastRows = new Map<number, number>();
    for (const row of this.#rowsWith(group, this.#rowsOfKey(group, key), only))
      lastRows.set(keys.indices[row] as number, row);
    return new Map(Array.from(lastRows.values(), (row) => [keys.at(row), cells.at(row)]));
  }

  /** Returns every row with a key from `first` to `last`, in the table's order, as views. */
  async rowsBetween(first: number, last: number): Promise<Row[]> {
    const groups = await Promise.all((await this.#source.between(first, last)).map((at) => this.#group(at)));
    return groups.flatMap((group) => {
      const range = rowsOfKeys(group.cells(this.#keyColumn), first, last);
      return this.#views(group.part(range), range);
    });
  }

  /** Returns every row of each of these keys, in the table's order, as views. Reads each row group once. */
  async rowsOfEach(keys: Iterable<number>): Promise<Row[]> {
    const ascending = [...new Set(keys)].sort((a, b) => a - b);
    const found: { readonly location: RowGroupRef; readonly keys: number[] }[] = [];
    for (const key of ascending) {
      const last = found.at(-1);
      if (last !== undefined && key <= last.location.lastKey) last.keys.push(key);
      else for (const location of await this.#source.between(key, key)) found.push({ location, keys: [key] });
    }
    const groups = await Promise.all(found.map(({ location }) => this.#group(location)));
    return groups.flatMap((group, index) => {
      const wanted = (found[index]?.keys ?? []).flatMap((key) => {
        const { from, to } = this.#rowsOfKey(group, key);
        return Array.from({ length: to - from }, (_, row) => from + row);
      });
      const { rows, places } = group.few(wanted);
      return places.map((place) => this.#view(rows, place));
    });
  }

  /** Returns all rows, as views. */
  async all(): Promise<Row[]> {
    const groups = await this.#read(await this.#wholeTable(this.#table.columns.length));
    return groups.flatMap((group) => this.#views(group.all, { from: 0, to: group.rows }));
  }

  /** Returns the number of rows of each row group, in order. */
  async groupSizes(): Promise<number[]> {
    return (await this.#source.groups()).map(({ rows }) => rows);
  }

  /** Yields row groups in order, all or a range, with only one in memory. */
  async *scan(some?: GroupRange): AsyncGenerator<ScannedRowGroup<Row>> {
    for (const location of await this.#some(some)) {
      for (const group of await this.#read([location])) {
        yield {
          rows: group.rows,
          cells: (name) => group.cells(this.#named(name)),
          row: (index) => this.#view(group.all, index),
        };
      }
    }
  }

  /** Yields the cells of one column, row group by row group. Reads no other column. */
  async *scanColumn(name: string, some?: GroupRange): AsyncGenerator<ColumnCells> {
    const at = this.#named(name);
    for (const group of await this.#some(some)) yield await this.#columnOf(group, at);
  }

  /**
   * Returns the cells of some columns of a small table, for all rows or some. Reads no other column. The first time,
   * a few rows are read singly; the next time, the whole column is read and cached.
   */
  async columns(names: readonly string[], only?: readonly number[]): Promise<(readonly Cell[])[]> {
    const places = names.map((name) => this.#named(name));
    const isOnce = (at: number) => !this.#columns.has(at) && !this.#glimpsed.has(at);
    const few = only === undefined || only.length > FEW ? [] : places.filter(isOnce);
    const found = await this.#cellsOf(few, only);
    for (const at of few) this.#glimpsed.add(at);
    const missing = places.filter((at) => !found.has(at) && !this.#columns.has(at));
    const whole = new Map([...this.#columns, ...(await this.#cellsOf(missing))]);
    for (const at of missing) this.#columns.set(at, whole.get(at) as Cell[]);
    return places.map((at) => {
      const all = whole.get(at) as readonly Cell[];
      return found.get(at) ?? (only === undefined ? all : only.map((row) => all[row] as Cell));
    });
  }

  /**
   * Returns the cells of some columns in the row groups that may have keys from `first` to `last`, in the table's
   * order; rows of neighbouring keys may be included. Reads no other column.
   * @param only only these rows, ascending
   */
  async columnsBetween(names: readonly string[], first: number, last: number, only?: readonly number[]) {
    const groups = await this.#source.between(first, last);
    const fault = wholeTableFault(sumNumbers(groups.map(({ rows }) => rows)), names.length);
    if (fault !== null) throw this.#source.damaged(fault);
    const places = names.map((name) => this.#named(name));
    const found = await this.#cellsIn(groups, places, only);
    return places.map((at) => found.get(at) as readonly Cell[]);
  }

  /** The Failure for a damaged table. */
  damaged(why: string): Failure {
    return this.#source.damaged(why);
  }

  close(): void {
    this.#source.close();
  }

  async #some(range: GroupRange | undefined): Promise<readonly RowGroupRef[]> {
    const groups = await this.#source.groups();
    return range === undefined ? groups : groups.slice(range.first, range.end);
  }

  /**
   * Returns all row groups. Throws if their rows are not as many as the table's, or too many to read these columns
   * whole.
   */
  async #wholeTable(columns: number): Promise<readonly RowGroupRef[]> {
    const groups = await this.#source.groups();
    const rows = groups.reduce((sum, group) => sum + group.rows, 0);
    const fault = rows === this.rows ? wholeTableFault(rows, columns) : `it has ${rows} rows instead of ${this.rows}`;
    if (fault !== null) throw this.#source.damaged(fault);
    return groups;
  }

  #views(rows: Rows, { from, to }: RowRange): Row[] {
    return Array.from({ length: to - from }, (_, row) => this.#view(rows, from + row - rows.from));
  }

  #rowsOfKey(group: RowGroup, key: number): RowRange {
    return rowsOfKeys(group.cells(this.#keyColumn), key, key);
  }

  #rowsWith(group: RowGroup, range: RowRange, only: readonly Only[]): number[] {
    const tests = only.map(({ column, passes }) => ({ cells: group.cells(this.#named(column)), passes }));
    return rowsWith(tests, range);
  }

  #named(name: string): number {
    const at = this.#table.columns.findIndex((one) => one.name === name);
    if (at < 0) throw new Error(`the table ${this.#table.name} has no column ${name}`);
    return at;
  }

  get #keyColumn(): number {
    const at = this.#table.columns.findIndex(({ field }) => field === this.#table.key);
    if (at < 0) throw new Error(`the table ${this.#table.name} has no key`);
    return at;
  }

  /** Returns a row group that is found by key, and caches it: the next question often needs its neighbours. */
  async #group(location: RowGroupRef): Promise<RowGroup> {
    const { group: at } = location;
    const known = this.#groups.find((one) => one.at === at);
    const group = known ?? { at, reading: this.#read([location]).then(([read]) => read as RowGroup) };
    const others = this.#groups.filter((one) => one !== group);
    this.#groups = [...(this.rows > ROWS_KEPT ? others.slice(1 - GROUPS_KEPT) : others), group];
    try {
      return await group.reading;
    } catch (error) {
      // Removes it from the cache, so that it is read again next time.
      this.#groups = this.#groups.filter((one) => one !== group);
      throw error;
    }
  }

  async #read(locations: readonly RowGroupRef[]): Promise<RowGroup[]> {
    const read = await this.#source.read(locations);
    return locations.map((location, index) => {
      const bytes = this.#positions.map((position) => read[index]?.[position ?? -1]);
      const chunks = new RowGroupChunks(location, this.#table.columns, bytes);
      return new RowGroup(location.rows, {
        cells: (at, range) => this.#orDamaged(() => chunks.cells(at, range)),
        cellsAt: (at, some) => this.#orDamaged(() => chunks.cellsAt(at, some)),
      });
    });
  }

  /** Returns the cells of the columns at these positions, for all row groups or for these rows only. */
  async #cellsOf(places: readonly number[], only?: readonly number[]): Promise<Map<number, readonly Cell[]>> {
    return places.length === 0 ? new Map() : this.#cellsIn(await this.#wholeTable(places.length), places, only);
  }

  /** The same for these row groups; rows are numbered from the first of them. */
  async #cellsIn(
    groups: readonly RowGroupRef[],
    places: readonly number[],
    only?: readonly number[],
  ): Promise<Map<number, readonly Cell[]>> {
    const ascending = only && [...new Set(only)].sort((a, b) => a - b);
    const stored = places.filter((at) => this.#positions[at] !== undefined);
    const read = new Map<number, Cell[]>(stored.map((at) => [at, []]));
    let from = 0;
    const wanted = groups.flatMap((group) => {
      const own = ascending?.map((row) => row - from).filter((row) => row >= 0 && row < group.rows);
      from += group.rows;
      return own?.length === 0 || stored.length === 0 ? [] : [{ group, own }];
    });
    const chunksOfEach = await this.#chunksOf(
      wanted.map(({ group }) => group),
      stored,
    );
    for (const [index, { group, own }] of wanted.entries()) {
      const chunks = chunksOfEach[index] as StoredChunk[];
      const cells = this.#orDamaged(() =>
        readCells(chunks, { rows: group.rows, maxContent: maxContentBytes(group) }, own),
      );
      for (const [place, at] of stored.entries()) read.set(at, (read.get(at) as Cell[]).concat(cells[place] as Cell[]));
    }
    const total = sumNumbers(groups.map(({ rows }) => rows));
    const order = new Map(ascending?.map((row, index) => [row, index]));
    return new Map(
      places.map((at) => {
        const cells = read.get(at);
        if (cells === undefined) return [at, Array<Cell>(only?.length ?? total).fill(this.#column(at).absent ?? null)];
        return [at, only === undefined ? cells : only.map((row) => cells[order.get(row) as number] as Cell)];
      }),
    );
  }

  /** Returns the column chunks at these positions, which the release has, of each row group: read together. */
  async #chunksOf(groups: readonly RowGroupRef[], places: readonly number[]): Promise<StoredChunk[][]> {
    if (groups.length === 0) return [];
    const positions = places.map((at) => this.#positions[at] as number);
    const read = await this.#source.readColumns(groups, positions);
    return read.map((bytes) =>
      places.map((at, index) => ({ column: this.#column(at), bytes: bytes[index] as Uint8Array })),
    );
  }

  async #columnOf(group: RowGroupRef, at: number): Promise<ColumnCells> {
    const [chunks = []] = this.#positions[at] === undefined ? [] : await this.#chunksOf([group], [at]);
    const cells = new RowGroupChunks(group, [this.#column(at)], [chunks[0]?.bytes]);
    return this.#orDamaged(() => cells.cells(0, { from: 0, to: group.rows }));
  }

  #orDamaged<Result>(decode: () => Result): Result {
    try {
      return decode();
    } catch (cause) {
      throw isFailure(cause) ? cause : this.#source.damaged(reasonOf(cause), cause);
    }
  }

  #column(at: number): Column {
    const column = this.#table.columns[at];
    if (column === undefined) throw new RangeError(`the table ${this.#table.name} has no column ${at}`);
    return column;
  }

  #check(at: number): void {
    const { name, type, nullable, absent } = this.#column(at);
    const stored = this.#stored[this.#positions[at] ?? -1];
    if (stored === undefined ? nullable || absent !== undefined : stored.type === type) return;
    const fault =
      stored === undefined
        ? `has no column ${name}, which this version of fin needs`
        : `has the column ${name} as ${stored.type}; this version of fin reads it as ${type}`;
    throw new Failure('data', `The release table ${this.#path} ${fault}.`, { hint: REPAIR });
  }
}

/** Removes a failed entry, so that it is read again next time. */
export async function forgetFailed<Key, T>(kept: Map<Key, unknown>, key: Key, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    kept.delete(key);
    throw error;
  }
}
