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

/** The cells of a column of one row group. */
type CellsOf = (column: Column) => ColumnCells;

export class TableReader<Row> {
  readonly rows: number;
  readonly #table: Table<Row>;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #index: RowGroupIndex;
  readonly #stored: readonly StoredColumn[];
  /** Where a column of the table stands in the file; one that the release lacks has no place. */
  readonly #positions: ReadonlyMap<string, number>;

  /**
   * Throws DamagedTable when a file is missing or has another size or index than the manifest says, and a data Failure
   * when the release lacks a column that can neither be null nor has a value for releases without it.
   */
  constructor(directory: string, table: Table<Row>, entry: TableFile) {
    this.rows = entry.rows;
    this.#table = table;
    this.#path = join(directory, entry.file);
    this.#stored = storedColumns(entry);
    this.#positions = new Map(this.#stored.map(({ name }, position) => [name, position]));
    for (const column of table.columns) this.#check(column);
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

  /** Every row of one key, in the table's order; with `only`, those that have one of these values. Rows of others are never made. */
  rowsOf(key: number, only?: Only): Row[] {
    const found = this.#find(key, only);
    return found === null ? [] : copyRows(this.#table, found.cellsOf, found.rows);
  }

  /** The same as views: see `viewRows`. */
  viewsOf(key: number, only?: Only): Row[] {
    const found = this.#find(key, only);
    return found === null ? [] : viewRows(this.#table, found.cellsOf, found.rows);
  }

  all(): Row[] {
    return Array.from({ length: this.#index.length }, (_, group) =>
      copyRows(this.#table, this.#readGroup(group), [...Array(this.#index.at(group).rows).keys()]),
    ).flat();
  }

  /** The cells of one column over all row groups. */
  column(name: string): Cell[] {
    const column = this.#named(name);
    const cells: Cell[] = [];
    for (let group = 0; group < this.#index.length; group++) {
      const read = this.#readGroup(group, column)(column);
      for (let row = 0; row < read.indices.length; row++) cells.push(cellAt(read, row));
    }
    return cells;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #find(key: number, only: Only | undefined): { cellsOf: CellsOf; rows: number[] } | null {
    const group = this.#index.find(key);
    if (group === null) return null;
    const cellsOf = this.#readGroup(group);
    const own = rowsWith(cellsOf(this.#keyColumn()), (value) => value === key);
    if (only === undefined) return { cellsOf, rows: own };
    return { cellsOf, rows: rowsWith(cellsOf(this.#named(only.column)), (value) => only.among.has(value), own) };
  }

  #named(name: string): Column {
    const column = this.#table.columns.find((one) => one.name === name);
    if (column === undefined) throw new Error(`the table ${this.#table.name} has no column ${name}`);
    return column;
  }

  #keyColumn(): Column {
    const column = this.#table.columns.find(({ field }) => field === this.#table.key);
    if (column === undefined) throw new Error(`the table ${this.#table.name} has no key`);
    return column;
  }

  /** The cells of the row group's columns, or of `single` alone: checked when read, decoded when first asked for. */
  #readGroup(group: number, single?: Column): CellsOf {
    const { rows, chunks } = this.#index.at(group);
    const wanted = single === undefined ? chunks : chunks.filter((_, at) => at === this.#positions.get(single.name));
    const bytes = this.#readChunks(wanted);
    for (const [at, chunk] of chunks.entries()) {
      const read = bytes.get(chunk);
      if (read === undefined || crc32(read) === chunk.crc32) continue;
      throw this.#damaged(`column ${this.#stored[at]?.name} has a wrong checksum`);
    }
    return (column) => {
      const chunk = chunks[this.#positions.get(column.name) ?? -1];
      if (chunk === undefined) return { dictionary: [column.absent ?? null], indices: new Uint32Array(rows) };
      const read = bytes.get(chunk);
      if (read === undefined) throw new Error(`the column ${column.name} of ${this.#path} was not read`);
      return this.#orDamaged(() => readColumnChunk(read, column, rows));
    };
  }

  /** The bytes of column chunks that stand side by side: one read brings them all. */
  #readChunks(chunks: RowGroupLocation['chunks']): ReadonlyMap<object, Uint8Array> {
    const [first] = chunks;
    const last = chunks.at(-1);
    if (first === undefined || last === undefined) return new Map();
    const bytes = this.#read(first.offset, last.offset + last.length - first.offset);
    return new Map(
      chunks.map((chunk) => {
        const from = chunk.offset - first.offset;
        return [chunk, bytes.subarray(from, from + chunk.length)];
      }),
    );
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

  #check({ name, type, nullable, absent }: Column): void {
    const stored = this.#stored[this.#positions.get(name) ?? -1];
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

/** The rows at `positions`, as objects of their own. */
function copyRows<Row>(table: Table<Row>, cellsOf: CellsOf, positions: readonly number[]): Row[] {
  // Copies of one object with every field are cheaper than objects that grow field by field.
  const blank: Record<string, Cell> = Object.fromEntries(table.columns.map(({ field }) => [field, null]));
  const rows = positions.map((position) => ({ position, row: { ...blank } }));
  for (const column of table.columns) {
    const cells = cellsOf(column);
    for (const { position, row } of rows) row[column.field] = cellAt(cells, position);
  }
  // `table()` saw to it that the columns are the fields of a row.
  return rows.map(({ row }) => row) as unknown[] as Row[];
}

/**
 * The same rows as views of the columns: thousands cost a twentieth, and columns that nobody reads are never
 * decoded. A view is read field by field; it has no properties of its own that could be spread, compared or printed.
 */
function viewRows<Row>(table: Table<Row>, cellsOf: CellsOf, positions: readonly number[]): Row[] {
  class View {
    readonly position: number;
    constructor(position: number) {
      this.position = position;
    }
  }
  for (const column of table.columns) {
    let cells: ColumnCells | undefined;
    Object.defineProperty(View.prototype, column.field, {
      get(this: View): Cell {
        cells ??= cellsOf(column);
        return cellAt(cells, this.position);
      },
    });
  }
  return positions.map((position) => new View(position)) as unknown[] as Row[];
}
