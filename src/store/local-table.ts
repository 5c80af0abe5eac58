/** A table on the local disk: its Parquet file, and the index with the position of each row group. */

import { closeSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { divideIntoRuns } from '../platform/collections.ts';
import { openRegularFile, readInto } from '../platform/files/regular-file.ts';
import { describeCause, isAccessRefusal } from '../platform/files/system-error.ts';
import { RowGroupIndex, type RowGroupLocation } from './parquet/row-group-index.ts';
import { listStoredColumns, makeUnreadableFailure, TableFailure, type TableFile } from './releases/manifest.ts';
import type { Table } from './schema/declare-table.ts';
import { type ColumnChunks, TableReader, type TableSource } from './table-reader.ts';

/**
 * Opens a local table. Throws TableFailure if a file is missing, or its size or index differs from the manifest.
 * Throws a data Failure if the system refuses to read a file, if a required column is missing, or if a column's type is
 * wrong.
 */
export function openTable<Row>(directory: string, table: Table<Row>, entry: TableFile): TableReader<Row> {
  const path = join(directory, entry.file);
  return new TableReader(table, { ...entry, path }, () => new LocalTable(directory, table.name, entry));
}

export class LocalTable implements TableSource<RowGroupLocation> {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #index: RowGroupIndex;
  readonly #columns: readonly string[];
  #groups: readonly RowGroupLocation[] | undefined;
  #isOpen = true;

  /** Throws TableFailure if a file is missing, or its size or index differs from the manifest. */
  constructor(
    directory: string,
    private readonly table: string,
    entry: TableFile,
  ) {
    const path = join(directory, entry.file);
    this.#path = path;
    this.#columns = listStoredColumns(entry).map((column) => column.name);
    this.#descriptor = this.#rethrowAsDamaged(() => openRegularFile(path));
    try {
      const { size } = fstatSync(this.#descriptor);
      if (size !== entry.bytes) throw this.damagedTableFailure(`it has ${size} bytes instead of ${entry.bytes}`);
      this.#index = openIndex(join(directory, entry.index.file), table, entry, this.#columns.length);
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  async groupsBetween(firstKey: number, lastKey: number): Promise<RowGroupLocation[]> {
    return this.#index.groupsBetween(firstKey, lastKey).map((group) => this.#locate(group));
  }

  async allGroups(): Promise<readonly RowGroupLocation[]> {
    this.#groups ??= Array.from({ length: this.#index.length }, (_, group) => this.#locate(group));
    return this.#groups;
  }

  async readGroups(groups: readonly RowGroupLocation[]): Promise<ColumnChunks[]> {
    return groups.map(({ chunks }) => this.#readChunks(chunks, 0));
  }

  async readColumns(groups: readonly RowGroupLocation[], positions: readonly number[]): Promise<ColumnChunks[]> {
    return groups.map((group) => this.#readColumns(group, positions));
  }

  damagedTableFailure(reason: string, cause?: unknown): TableFailure {
    return new TableFailure(this.table, this.#path, reason, cause);
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }

  #readColumns({ chunks }: RowGroupLocation, positions: readonly number[]): ColumnChunks {
    const runs = divideIntoRuns(positions, (position, last) => position === last + 1);
    return runs.flatMap((run) => this.#readChunks(chunks.slice(run[0], run[0] + run.length), run[0]));
  }

  /**
   * Reads adjacent column chunks with one system call, and verifies the checksum of each chunk.
   * @param position the column position of the first chunk
   */
  #readChunks(chunks: RowGroupLocation['chunks'], position: number): Uint8Array[] {
    const [firstChunk] = chunks;
    const lastChunk = chunks.at(-1);
    if (firstChunk === undefined || lastChunk === undefined) return [];
    const bytes = this.#read(firstChunk.offset, lastChunk.offset + lastChunk.length - firstChunk.offset);
    return chunks.map((chunk, index) => {
      const start = chunk.offset - firstChunk.offset;
      const part = bytes.subarray(start, start + chunk.length);
      if (crc32(part) !== chunk.crc32)
        throw this.damagedTableFailure(`column ${this.#columns[position + index]} has a wrong checksum`);
      return part;
    });
  }

  #locate(group: number): RowGroupLocation {
    return this.#rethrowAsDamaged(() => this.#index.locationOf(group));
  }

  #read(offset: number, length: number): Uint8Array {
    // After the file is closed, the system may reuse the descriptor for another file.
    if (!this.#isOpen) throw this.damagedTableFailure('the file was closed');
    const makeError = () => new Error('the file is too short');
    return this.#rethrowAsDamaged(() => readInto(new Uint8Array(length), this.#descriptor, offset, makeError));
  }

  #rethrowAsDamaged<T>(action: () => T): T {
    return rethrowAsDamaged(this.table, this.#path, action);
  }
}

function openIndex(path: string, table: string, { index, bytes: size }: TableFile, columns: number): RowGroupIndex {
  const bytes = rethrowAsDamaged(table, path, () => readIndex(path, index.bytes));
  if (crc32(bytes) !== index.crc32) throw new TableFailure(table, path, WRONG_INDEX);
  return rethrowAsDamaged(table, path, () => new RowGroupIndex(bytes, columns, size));
}

const WRONG_INDEX = 'its size or checksum is wrong';

/** Reads no more than `size` bytes, so that a file that has grown cannot fill the memory. */
function readIndex(path: string, size: number): Buffer {
  const descriptor = openRegularFile(path);
  try {
    if (fstatSync(descriptor).size !== size) throw new Error(WRONG_INDEX);
    return readInto(Buffer.alloc(size), descriptor, 0, () => new Error(WRONG_INDEX));
  } finally {
    closeSync(descriptor);
  }
}

function rethrowAsDamaged<T>(table: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw isAccessRefusal(cause)
      ? makeUnreadableFailure(path, cause)
      : new TableFailure(table, path, describeCause(cause), cause);
  }
}
