/** Reads what is asked for of one table on disk, and nothing else: an index, then the column chunks. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Cell, Table } from '../schema/table.ts';
import { damaged } from './damaged.ts';
import type { TableFile } from './manifest.ts';
import { type ColumnCells, readChunk, rowsWith } from './parquet/column-chunk-reader.ts';
import { checksum, RowGroupIndex } from './parquet/row-group-index.ts';
import { copyRows, type LazyCells, viewRows } from './read-rows.ts';

/** Rows that have one of these values in a column. */
export interface Only {
  readonly column: string;
  readonly among: ReadonlySet<Cell>;
}

export class TableReader<Row> {
  readonly #table: Table<Row>;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #index: RowGroupIndex;

  /** Throws a data Failure when a file is missing or has another size or index than the manifest says. */
  constructor(directory: string, table: Table<Row>, entry: TableFile) {
    this.#table = table;
    this.#path = join(directory, entry.file);
    this.#descriptor = orDamaged(this.#path, () => openSync(this.#path, 'r'));
    try {
      const { size } = fstatSync(this.#descriptor);
      if (size !== entry.bytes) throw damaged(this.#path, `it has ${size} bytes instead of ${entry.bytes}`);
      this.#index = openIndex(join(directory, entry.index.file), entry, table.columns.length);
    } catch (failure) {
      closeSync(this.#descriptor);
      throw failure;
    }
  }

  /**
   * Every row of one company, or of another key that the table is ordered by, in the table's order; with `only`,
   * those that have one of these texts in a column. Rows of others are never made.
   */
  ofCompany(key: number, only?: Only): Row[] {
    const { columns, positions } = this.#find(key, only);
    return copyRows(this.#table, columns, positions);
  }

  /** The same as views: see `viewRows`. */
  viewsOf(key: number, only?: Only): Row[] {
    const { columns, positions } = this.#find(key, only);
    return viewRows(this.#table, columns, positions);
  }

  all(): Row[] {
    return Array.from({ length: this.#index.length }, (_, group) => {
      const columns = this.#columns(group);
      return copyRows(this.#table, columns, [...(columns[0]?.().indices.keys() ?? [])]);
    }).flat();
  }

  #find(key: number, only: Only | undefined): { columns: LazyCells[]; positions: number[] } {
    const group = this.#index.find(key);
    if (group === null) return { columns: [], positions: [] };
    const columns = this.#columns(group);
    const field = this.#table.key ?? 'cik';
    const keys = columns[this.#table.columns.findIndex((column) => column.field === field)]?.();
    const own = keys === undefined ? [] : rowsWith(keys, (value) => value === key);
    if (only === undefined) return { columns, positions: own };
    const tested = columns[this.#position(only.column)]?.();
    return { columns, positions: tested === undefined ? [] : rowsWith(tested, (value) => only.among.has(value), own) };
  }

  #position(name: string): number {
    const position = this.#table.columns.findIndex((column) => column.name === name);
    if (position < 0) throw new Error(`the table ${this.#table.name} has no column ${name}`);
    return position;
  }

  /** Checked when read, decoded when first asked for. */
  #columns(group: number): LazyCells[] {
    const place = this.#index.at(group);
    const [first] = place.chunks;
    const last = place.chunks.at(-1);
    if (first === undefined || last === undefined) return [];
    // The chunks of a group stand side by side: one read brings them all.
    const bytes = this.#read(first.offset, last.offset + last.length - first.offset);
    return place.chunks.map((chunk, column) => {
      const from = chunk.offset - first.offset;
      return this.#decoder(bytes.subarray(from, from + chunk.length), column, chunk.crc32, place.rows);
    });
  }

  /** The cells of one column over all row groups. */
  column(name: string): Cell[] {
    const column = this.#position(name);
    const cells: Cell[] = [];
    for (let group = 0; group < this.#index.length; group++) {
      const place = this.#index.at(group);
      const chunk = place.chunks[column];
      if (chunk === undefined) continue;
      const bytes = this.#read(chunk.offset, chunk.length);
      const { dictionary: values, indices: numbers } = this.#decoder(bytes, column, chunk.crc32, place.rows)();
      for (const number of numbers) cells.push(values[number] ?? null);
    }
    return cells;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #decoder(bytes: Uint8Array, index: number, expected: number, rows: number): LazyCells {
    const column = this.#table.columns[index];
    if (column === undefined) throw new Error(`the table ${this.#table.name} has no column ${index}`);
    if (crc32(bytes) !== expected) throw damaged(this.#path, `column ${column.name} has a wrong checksum`);
    let cells: ColumnCells | undefined;
    return () => {
      cells ??= orDamaged(this.#path, () => readChunk(bytes, column, rows));
      return cells;
    };
  }

  #read(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const count = orDamaged(this.#path, () => readSync(this.#descriptor, bytes, done, length - done, offset + done));
      if (count === 0) throw damaged(this.#path, 'it ends too early');
      done += count;
    }
    return bytes;
  }
}

function openIndex(path: string, { index }: TableFile, columns: number): RowGroupIndex {
  const bytes = orDamaged(path, () => readFileSync(path));
  if (bytes.length !== index.bytes || checksum(bytes) !== index.crc32) throw damaged(path, 'its checksum is wrong');
  return orDamaged(path, () => new RowGroupIndex(bytes, columns));
}

function orDamaged<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw damaged(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}
