/** Reads what is asked for of one table on disk, and nothing else: an index, then the column chunks. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Failure } from '../../contract/failure.ts';
import { openRegularFile } from '../../platform/regular-file.ts';
import { isRefusal, reasonOf } from '../../platform/system-error.ts';
import type { Cell, Column, Table } from '../schema/table.ts';
import { DamagedTable, REPAIR, type StoredColumn, storedColumns, type TableFile, unreadable } from './manifest.ts';
import { type ColumnCells, cellAt, readColumnChunk, rowsWith } from './parquet/column-chunk.ts';
import { RowGroupIndex, type RowGroupLocation } from './parquet/row-group-index.ts';

/** Rows that have one of these values in a column. */
export interface Only {
  readonly column: string;
  readonly among: ReadonlySet<Cell>;
}

/** Of a table with a key, so many of the row groups that were read last are kept, with what was decoded of them. */
const GROUPS_KEPT = 4;

/** One row group: checked when it is read, each column decoded when it is first asked for. */
interface RowGroupCells {
  readonly rows: number;
  /** The column at this place among those of the table. */
  readonly cells: (at: number) => ColumnCells;
}

export class TableReader<Row> {
  readonly rows: number;
  readonly #table: Table<Row>;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #index: RowGroupIndex;
  readonly #stored: readonly StoredColumn[];
  /** Where each column of the table stands in the file; one that the release lacks has no place. */
  readonly #positions: readonly (number | undefined)[];
  readonly #view: (group: RowGroupCells, row: number) => Row;
  readonly #groups = new Map<number, RowGroupCells>();
  readonly #byColumns = new Map<number, RowGroupCells>();

  /**
   * Throws DamagedTable when a file is missing or has another size or index than the manifest says, and a data Failure
   * when the release lacks a column that can neither be null nor has a value for releases without it.
   */
  constructor(directory: string, table: Table<Row>, entry: TableFile) {
    this.rows = entry.rows;
    this.#table = table;
    this.#path = join(directory, entry.file);
    this.#stored = storedColumns(entry);
    const stored = new Map(this.#stored.map(({ name }, position) => [name, position]));
    this.#positions = table.columns.map(({ name }) => stored.get(name));
    this.#view = viewsOf(table);
    for (const at of table.columns.keys()) this.#check(at);
    this.#descriptor = this.#orDamaged(() => openRegularFile(this.#path));
    try {
      const { size } = fstatSync(this.#descriptor);
      if (size !== entry.bytes) throw this.#damaged(`it has ${size} bytes instead of ${entry.bytes}`);
      this.#index = openIndex(join(directory, entry.index.file), table, entry, this.#stored.length);
    } catch (failure) {
      closeSync(this.#descriptor);
      throw failure;
    }
  }

  /**
   * Every row of one key, in the table's order; with `only`, those that have one of these values.
   * Rows are views of the columns: what is not read of them is never decoded, and they have no properties of their own
   * that could be spread, compared or printed.
   */
  rowsOf(key: number, only?: Only): Row[] {
    const at = this.#index.find(key);
    if (at === null) return [];
    const group = this.#group(at);
    const own = rowsOfKeys(group.cells(this.#keyColumn), key, key);
    const rows = only && rowsWith(group.cells(this.#named(only.column)), (value) => only.among.has(value), own);
    return (rows ?? own).map((row) => this.#view(group, row));
  }

  /** Every row of the keys from `first` to `last`, in the table's order, as views. */
  rowsBetween(first: number, last: number): Row[] {
    return this.#index.between(first, last).flatMap((at) => {
      const group = this.#group(at);
      return rowsOfKeys(group.cells(this.#keyColumn), first, last).map((row) => this.#view(group, row));
    });
  }

  /** All rows, as views. */
  all(): Row[] {
    const rows: Row[] = [];
    for (let at = 0; at < this.#index.length; at += 1) {
      const group = this.#readGroup(at);
      for (let row = 0; row < group.rows; row += 1) rows.push(this.#view(group, row));
    }
    return rows;
  }

  /** The cells of one column over all row groups, or of these rows alone. No other column is read. */
  column(name: string, only?: readonly number[]): Cell[] {
    const at = this.#named(name);
    // A table without a key has one row group.
    if (only !== undefined && this.#index.length === 1) {
      const cells = this.#columnsOf(0).cells(at);
      return only.map((row) => cellAt(cells, row));
    }
    const all: Cell[] = [];
    for (let group = 0; group < this.#index.length; group += 1) {
      const { rows, cells } = this.#columnsOf(group);
      const read = cells(at);
      for (let row = 0; row < rows; row += 1) all.push(cellAt(read, row));
    }
    return only === undefined ? all : only.map((row) => all[row] ?? null);
  }

  /** A row group to be read by columns. Of a table without a key it is kept: such a table is small. */
  #columnsOf(group: number): RowGroupCells {
    const columns = this.#byColumns.get(group) ?? this.#readGroup(group, 'one by one');
    if (this.#table.key === null) this.#byColumns.set(group, columns);
    return columns;
  }

  close(): void {
    closeSync(this.#descriptor);
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

  /** A row group that is asked for by key: neighbours are often asked for next. */
  #group(at: number): RowGroupCells {
    const group = this.#groups.get(at) ?? this.#readGroup(at);
    // What was read last stands last.
    this.#groups.delete(at);
    this.#groups.set(at, group);
    const [oldest] = this.#groups.keys();
    if (this.#groups.size > GROUPS_KEPT && oldest !== undefined) this.#groups.delete(oldest);
    return group;
  }

  /** @param columns whether all are read at once, or each when it is asked for */
  #readGroup(group: number, columns: 'together' | 'one by one' = 'together'): RowGroupCells {
    const { rows, chunks } = this.#index.at(group);
    const together = columns === 'together' ? this.#readChunks(chunks) : null;
    const decode = (at: number): ColumnCells => {
      const column = this.#column(at);
      const chunk = chunks[this.#positions[at] ?? -1];
      if (chunk === undefined) return { dictionary: [column.absent ?? null], indices: new Uint32Array(rows) };
      const read = (together ?? this.#readChunks([chunk])).get(chunk);
      if (read === undefined) throw new Error(`the column ${column.name} of ${this.#path} was not read`);
      return this.#orDamaged(() => readColumnChunk(read, column, rows));
    };
    const decoded: (ColumnCells | undefined)[] = this.#table.columns.map(() => undefined);
    return {
      rows,
      cells(at) {
        const cells = decoded[at] ?? decode(at);
        decoded[at] = cells;
        return cells;
      },
    };
  }

  #column(at: number): Column {
    const column = this.#table.columns[at];
    if (column === undefined) throw new RangeError(`the table ${this.#table.name} has no column ${at}`);
    return column;
  }

  /** The bytes of column chunks that stand side by side: one read brings them all, and each is checked. */
  #readChunks(chunks: RowGroupLocation['chunks']): ReadonlyMap<object, Uint8Array> {
    const [first] = chunks;
    const last = chunks.at(-1);
    if (first === undefined || last === undefined) return new Map();
    const bytes = this.#read(first.offset, last.offset + last.length - first.offset);
    return new Map(
      chunks.map((chunk) => {
        const from = chunk.offset - first.offset;
        const own = bytes.subarray(from, from + chunk.length);
        if (crc32(own) !== chunk.crc32) throw this.#damaged(`${this.#nameAt(chunk.offset)} has a wrong checksum`);
        return [chunk, own];
      }),
    );
  }

  /** The column whose chunk begins there. */
  #nameAt(offset: number): string {
    for (let group = 0; group < this.#index.length; group += 1) {
      const at = this.#index.at(group).chunks.findIndex((chunk) => chunk.offset === offset);
      if (at >= 0) return `column ${this.#stored[at]?.name}`;
    }
    return 'a column';
  }

  #read(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const count = this.#orDamaged(() => readSync(this.#descriptor, bytes, done, length - done, offset + done));
      if (count === 0) throw this.#damaged('it ends too early');
      done += count;
    }
    return bytes;
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

  #damaged(why: string): DamagedTable {
    return new DamagedTable(this.#table.name, this.#path, why);
  }

  #orDamaged<T>(run: () => T): T {
    return orDamaged(this.#table, this.#path, run);
  }
}

function openIndex(path: string, table: Table, { index }: TableFile, columns: number): RowGroupIndex {
  const bytes = orDamaged(table, path, () => readIndex(path, index.bytes));
  if (bytes.length !== index.bytes || crc32(bytes) !== index.crc32) {
    throw new DamagedTable(table.name, path, 'its checksum is wrong');
  }
  return orDamaged(table, path, () => new RowGroupIndex(bytes, columns));
}

/** Not more than a byte beyond `expected`: one that has grown must not fill the memory. */
function readIndex(path: string, expected: number): Buffer {
  const descriptor = openRegularFile(path);
  try {
    const bytes = Buffer.alloc(expected + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = readSync(descriptor, bytes, length, bytes.length - length, length);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

function orDamaged<T>({ name }: Table, path: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw isRefusal(cause) ? unreadable(path, cause) : new DamagedTable(name, path, reasonOf(cause), cause);
  }
}

/** The rows of the keys from `first` to `last`, which stand side by side: rows are in order of key. */
function rowsOfKeys(keys: ColumnCells, first: number, last: number): number[] {
  let low = 0;
  let high = keys.indices.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(cellAt(keys, middle)) < first) low = middle + 1;
    else high = middle;
  }
  const rows: number[] = [];
  for (let row = low; row < keys.indices.length && Number(cellAt(keys, row)) <= last; row += 1) rows.push(row);
  return rows;
}

/** Makes a row of a row group: an object whose fields are read from the columns. */
function viewsOf<Row>(table: Table<Row>): (group: RowGroupCells, row: number) => Row {
  class View {
    readonly group: RowGroupCells;
    readonly position: number;
    constructor(group: RowGroupCells, position: number) {
      this.group = group;
      this.position = position;
    }
  }
  for (const [at, { field }] of table.columns.entries()) {
    Object.defineProperty(View.prototype, field, {
      get(this: View): Cell {
        return cellAt(this.group.cells(at), this.position);
      },
    });
  }
  // `table()` saw to it that the columns are the fields of a row.
  return (group, row) => new View(group, row) as unknown as Row;
}
