/** A table on the local disk: its Parquet file, and the index with the position of each row group. */

import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readInto } from '../platform/read-into.ts';
import { openRegularFile } from '../platform/regular-file.ts';
import { describeCause, isAccessRefusal } from '../platform/system-error.ts';
import { RowGroupIndex, type RowGroupLocation } from './parquet/row-group-index.ts';
import {
  DamagedTableFailure,
  listStoredColumns,
  makeUnreadableFileFailure,
  type TableFile,
} from './releases/manifest.ts';
import type { Table } from './schema/table.ts';
import { TableReader } from './table-reader.ts';
import type { ColumnChunks, TableSource } from './table-source.ts';

/**
 * Opens a local table. Throws DamagedTableFailure if a file is missing, or its size or index differs from the manifest.
 * Throws a data Failure if the system refuses to read a file, if a required column is missing, or if a column's type is
 * wrong.
 */
export function openTable<Row>(directory: string, table: Table<Row>, entry: TableFile): TableReader<Row> {
  const path = join(directory, entry.file);
  return new TableReader(table, { ...entry, path }, () => new LocalTable(directory, table.name, entry));
}

export class LocalTable implements TableSource<RowGroupLocation> {
  readonly #table: string;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #index: RowGroupIndex;
  readonly #columns: readonly string[];
  #groups: readonly RowGroupLocation[] | undefined;
  #isOpen = true;

  /** Throws DamagedTableFailure if a file is missing, or its size or index differs from the manifest. */
  constructor(directory: string, name: string, entry: TableFile) {
    const path = join(directory, entry.file);
    this.#table = name;
    this.#path = path;
    this.#columns = listStoredColumns(entry).map((column) => column.name);
    this.#descriptor = this.#rethrowAsDamaged(() => openRegularFile(path));
    try {
      const { size } = fstatSync(this.#descriptor);
      if (size !== entry.bytes) throw this.damagedTableFailure(`it has ${size} bytes instead of ${entry.bytes}`);
      this.#index = openIndex(join(directory, entry.index.file), name, entry, this.#columns.length);
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  async groupsBetween(firstKey: number, lastKey: number): Promise<RowGroupLocation[]> {
    return this.#index.groupsBetween(firstKey, lastKey).map((groupNumber) => this.#locate(groupNumber));
  }

  async allGroups(): Promise<readonly RowGroupLocation[]> {
    this.#groups ??= Array.from({ length: this.#index.length }, (_, groupNumber) => this.#locate(groupNumber));
    return this.#groups;
  }

  async readGroups(groups: readonly RowGroupLocation[]): Promise<ColumnChunks[]> {
    return groups.map(({ chunks }) => this.#readChunks(chunks, 0));
  }

  async readColumns(groups: readonly RowGroupLocation[], positions: readonly number[]): Promise<ColumnChunks[]> {
    return groups.map((group) => this.#readColumns(group, positions));
  }

  damagedTableFailure(reason: string, cause?: unknown): DamagedTableFailure {
    return new DamagedTableFailure(this.#table, this.#path, reason, cause);
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }

  #readColumns({ chunks }: RowGroupLocation, positions: readonly number[]): ColumnChunks {
    const columnChunks: Uint8Array[] = [];
    for (let start = 0; start < positions.length; ) {
      const firstPosition = positions[start] as number;
      let end = start + 1;
      while (end < positions.length && positions[end] === firstPosition + end - start) end += 1;
      columnChunks.push(...this.#readChunks(chunks.slice(firstPosition, firstPosition + end - start), firstPosition));
      start = end;
    }
    return columnChunks;
  }

  /**
   * Reads adjacent column chunks with one system call, and verifies the checksum of each chunk.
   * @param firstPosition the column position of the first chunk
   */
  #readChunks(chunks: RowGroupLocation['chunks'], firstPosition: number): Uint8Array[] {
    const [firstChunk] = chunks;
    const lastChunk = chunks.at(-1);
    if (firstChunk === undefined || lastChunk === undefined) return [];
    const bytes = this.#read(firstChunk.offset, lastChunk.offset + lastChunk.length - firstChunk.offset);
    return chunks.map((chunk, index) => {
      const chunkStart = chunk.offset - firstChunk.offset;
      const chunkBytes = bytes.subarray(chunkStart, chunkStart + chunk.length);
      if (crc32(chunkBytes) !== chunk.crc32)
        throw this.damagedTableFailure(`column ${this.#columns[firstPosition + index]} has a wrong checksum`);
      return chunkBytes;
    });
  }

  #locate(groupNumber: number): RowGroupLocation {
    return this.#rethrowAsDamaged(() => this.#index.locationOf(groupNumber));
  }

  #read(offset: number, length: number): Uint8Array {
    // After the file is closed, the system may reuse the descriptor for another file.
    if (!this.#isOpen) throw this.damagedTableFailure('the file was closed');
    const createTooShortError = () => new Error('the file is too short');
    return this.#rethrowAsDamaged(() =>
      readInto(new Uint8Array(length), this.#descriptor, offset, createTooShortError),
    );
  }

  #rethrowAsDamaged<T>(action: () => T): T {
    return rethrowAsDamaged(this.#table, this.#path, action);
  }
}

function openIndex(
  path: string,
  table: string,
  { index, bytes: fileBytes }: TableFile,
  columnCount: number,
): RowGroupIndex {
  const bytes = rethrowAsDamaged(table, path, () => readIndex(path, index.bytes));
  if (bytes.length !== index.bytes || crc32(bytes) !== index.crc32) {
    throw new DamagedTableFailure(table, path, 'its size or checksum is wrong');
  }
  return rethrowAsDamaged(table, path, () => new RowGroupIndex(bytes, columnCount, fileBytes));
}

/** Reads at most `expectedBytes` + 1 bytes, so that a file that has grown cannot fill the memory. */
function readIndex(path: string, expectedBytes: number): Buffer {
  const descriptor = openRegularFile(path);
  try {
    const bytes = Buffer.alloc(expectedBytes + 1);
    let totalBytesRead = 0;
    for (let bytesRead = -1; bytesRead !== 0 && totalBytesRead < bytes.length; totalBytesRead += bytesRead) {
      bytesRead = readSync(descriptor, bytes, totalBytesRead, bytes.length - totalBytesRead, totalBytesRead);
    }
    return bytes.subarray(0, totalBytesRead);
  } finally {
    closeSync(descriptor);
  }
}

function rethrowAsDamaged<T>(table: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw isAccessRefusal(cause)
      ? makeUnreadableFileFailure(path, cause)
      : new DamagedTableFailure(table, path, describeCause(cause), cause);
  }
}
