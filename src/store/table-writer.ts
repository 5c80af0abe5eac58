/** Writes the files of a table: row groups and the footer to a Parquet file, and the index. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { toParquetColumn } from './parquet/format/column-type.ts';
import { encodeIndex, encodeIndexEntry } from './parquet/row-group-index.ts';
import type { FileDescription } from './parquet/write/footer.ts';
import type { EncodedRowGroup } from './parquet/write/row-group.ts';
import { OutputFile, ParquetFile } from './parquet-file.ts';
import { describeColumns, LAYOUT_VERSION, type TableFile } from './releases/manifest.ts';
import type { Table } from './schema/declare-table.ts';
import { PartSink, type TablePart } from './table-part.ts';

export interface FinishedTable {
  readonly table: Table;
  readonly file: TableFile & { readonly content: string };
  readonly rows: number;
}

/**
 * Writes a table from rows, which are added key by key, and from parts that workers encoded. Rows stay in memory until
 * they fill a row group.
 */
export class TableSink<Row> {
  readonly #file: ParquetFile;
  readonly #sink: PartSink<Row>;
  readonly #indexEntries: Uint32Array[] = [];
  /** Hash of the row groups' hashes, in order. */
  readonly #hash = createHash('sha256');

  constructor(
    private readonly directory: string,
    private readonly table: Table<Row>,
  ) {
    this.#file = new ParquetFile(join(directory, `${table.name}.parquet`), describeFile(table));
    this.#sink = new PartSink(table, (group) => this.#write(group));
  }

  /**
   * Adds all rows of one key, in the table's order. Keys must be ascending. If the table has no key, `key` may be any
   * number above that of the previous call.
   */
  add(key: number, rows: readonly Row[]): void {
    this.#expectAfter(key);
    const { key: keyField, groupRows = rows.length } = this.table;
    const step = keyField === null ? groupRows : rows.length;
    for (let start = 0; start < rows.length; start += step) this.#sink.add(key, rows.slice(start, start + step));
  }

  /** Appends an encoded part, whose keys must come after all previous keys. */
  append(part: TablePart): void {
    if (part.rows === 0) return;
    this.#expectAfter(part.firstKey);
    this.#sink.append(part);
  }

  /** Writes the footer and the index. The caller syncs the files of several tables to disk together (`syncFiles`). */
  finish(): FinishedTable {
    this.#sink.endGroup();
    const { name, columns } = this.table;
    const index = encodeIndex(LAYOUT_VERSION.major, columns.length, this.#indexEntries);
    const indexFile = new OutputFile(join(this.directory, `${name}.index`));
    indexFile.write(index);
    const file = {
      file: `${name}.parquet`,
      rows: this.#file.rows,
      ...this.#file.finish({ syncsToDisk: false }),
      columns: describeColumns(this.table),
      index: { file: `${name}.index`, crc32: crc32(index), ...indexFile.finish() },
      content: this.#hash.digest('hex'),
    };
    return { table: this.table, file, rows: this.#sink.rows };
  }

  /** Closes the incomplete file of a failed build. */
  abandon(): void {
    this.#file.abandon();
  }

  /** Removes the file of an empty table, so that the release does not include the table. */
  omit(): void {
    if (this.#sink.rows > 0) throw new RangeError(`the table ${this.table.name} has rows and cannot be omitted`);
    this.#file.remove();
  }

  #write(group: EncodedRowGroup): void {
    this.#indexEntries.push(encodeIndexEntry(group, this.#file.append(group, [group.bytes])));
    this.#hash.update(`${group.content}\n`);
  }

  #expectAfter(key: number): void {
    if (key <= this.#sink.lastKey)
      throw new RangeError(`${this.table.name}: the rows of key ${key} came after those of key ${this.#sink.lastKey}`);
  }
}

export type SinkFinder = <Row>(table: Table<Row>) => Pick<TableSink<Row>, 'add'>;

export const describeFile = ({ columns }: Table): FileDescription => ({
  columns: columns.map(toParquetColumn),
  codec: 'gzip',
});
