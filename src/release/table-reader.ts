/** Reads what is asked for of one table on disk, and nothing else: an index, then the column chunks. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readChunk } from './column-chunk.ts';
import { damaged } from './damaged.ts';
import { checksum, GroupIndex } from './group-index.ts';
import type { Cell, Table } from './layout.ts';
import { toRows } from './layout.ts';
import type { TableFile } from './types.ts';

export class TableReader<Row> {
  readonly #table: Table<Row>;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #index: GroupIndex;

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

  get groups(): number {
    return this.#index.length;
  }

  /** Every row of one company, in the table's order. */
  ofCompany(cik: number): Row[] {
    const group = this.#index.find(cik);
    if (group === null) return [];
    return this.group(group).filter((row) => (row as { readonly cik?: unknown }).cik === cik);
  }

  all(): Row[] {
    return Array.from({ length: this.#index.length }, (_, group) => this.group(group)).flat();
  }

  group(group: number): Row[] {
    const place = this.#index.at(group);
    const [first] = place.chunks;
    const last = place.chunks.at(-1);
    if (first === undefined || last === undefined) return [];
    // The chunks of a group stand side by side: one read brings them all.
    const bytes = this.#read(first.offset, last.offset + last.length - first.offset);
    const cells = place.chunks.map((chunk, column) =>
      this.#decode(bytes.subarray(chunk.offset - first.offset, chunk.offset - first.offset + chunk.length), column, {
        crc32: chunk.crc32,
        rows: place.rows,
      }),
    );
    return toRows(this.#table, cells);
  }

  /** The cells of one column over all row groups. */
  column(name: string): Cell[] {
    const column = this.#table.columns.findIndex((candidate) => candidate.name === name);
    if (column < 0) throw new Error(`the table ${this.#table.name} has no column ${name}`);
    const cells: Cell[] = [];
    for (let group = 0; group < this.#index.length; group++) {
      const place = this.#index.at(group);
      const chunk = place.chunks[column];
      if (chunk === undefined) continue;
      const bytes = this.#read(chunk.offset, chunk.length);
      for (const cell of this.#decode(bytes, column, { crc32: chunk.crc32, rows: place.rows })) cells.push(cell);
    }
    return cells;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #decode(bytes: Uint8Array, index: number, expected: { readonly crc32: number; readonly rows: number }): Cell[] {
    const column = this.#table.columns[index];
    if (column === undefined) throw new Error(`the table ${this.#table.name} has no column ${index}`);
    if (crc32(bytes) !== expected.crc32) throw damaged(this.#path, `column ${column.name} has a wrong checksum`);
    return orDamaged(this.#path, () => readChunk(bytes, column, expected.rows));
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

function openIndex(path: string, { index }: TableFile, columns: number): GroupIndex {
  const bytes = orDamaged(path, () => readFileSync(path));
  if (bytes.length !== index.bytes || checksum(bytes) !== index.crc32) throw damaged(path, 'its checksum is wrong');
  return orDamaged(path, () => new GroupIndex(bytes, columns));
}

function orDamaged<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw damaged(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}
