/** Puts row groups, encoded elsewhere, one after the other into a Parquet file, and writes its footer and index. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { RowGroup } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { LAYOUT } from '../schema/layout.ts';
import type { Table } from '../schema/table.ts';
import { describeColumns, type TableFile } from './manifest.ts';
import type { WrittenRowGroup } from './parquet/row-group-index.ts';
import { encodeIndex } from './parquet/row-group-index.ts';
import { type EncodedRowGroup, MAGIC_BYTES, schemaOf } from './row-group.ts';

export class TableWriter {
  readonly #directory: string;
  readonly #table: Table;
  readonly #file: OutputFile;
  readonly #buffer = new ByteWriter();
  readonly #parquet: ParquetWriter;
  readonly #groups: WrittenRowGroup[] = [];

  constructor(directory: string, table: Table) {
    this.#directory = directory;
    this.#table = table;
    this.#file = new OutputFile(join(directory, `${table.name}.parquet`));
    this.#parquet = new ParquetWriter({ writer: this.#buffer, schema: schemaOf(table), createdBy: 'fin-filings' });
    this.#drain();
  }

  append({ bytes, footer, ...group }: EncodedRowGroup): void {
    const offset = this.#file.length;
    this.#parquet.row_groups.push(shifted(footer, BigInt(offset - MAGIC_BYTES)));
    this.#parquet.num_rows += BigInt(group.rows);
    this.#groups.push({ ...group, offset });
    this.#file.write(bytes);
  }

  /** Writes footer and index, and forces both files to the disk. */
  finish(): TableFile {
    const rows = Number(this.#parquet.num_rows);
    // The footer's length is taken from where it began.
    this.#buffer.offset = this.#file.length;
    this.#parquet.finish();
    this.#drain();
    const index = encodeIndex(LAYOUT.major, this.#table.columns.length, this.#groups);
    const indexFile = new OutputFile(join(this.#directory, `${this.#table.name}.index`));
    indexFile.write(index);
    return {
      file: `${this.#table.name}.parquet`,
      rows,
      ...this.#file.close(),
      columns: describeColumns(this.#table),
      index: { file: `${this.#table.name}.index`, crc32: crc32(index), ...indexFile.close() },
    };
  }

  /** Closes the file as it is; for a build that has failed. */
  abandon(): void {
    this.#file.abandon();
  }

  /** Closes the file and takes it away; for a table that the release does not include. */
  remove(): void {
    this.#file.abandon();
    rmSync(this.#file.path);
  }

  #drain(): void {
    this.#file.write(this.#buffer.getBytes());
    this.#buffer.index = 0;
  }
}

/** The footer's entry of a row group that stands elsewhere than it was encoded for. */
function shifted(group: RowGroup, by: bigint): RowGroup {
  const columns = group.columns.map((column) => {
    const meta = column.meta_data;
    if (meta === undefined) throw new Error('a column chunk was written without its metadata');
    const dictionary = meta.dictionary_page_offset;
    return {
      ...column,
      file_offset: column.file_offset + by,
      meta_data: {
        ...meta,
        data_page_offset: meta.data_page_offset + by,
        ...(dictionary === undefined ? {} : { dictionary_page_offset: dictionary + by }),
      },
    };
  });
  return { ...group, columns };
}

/** A file that is written once, from front to end, and hashed as it goes. */
class OutputFile {
  readonly path: string;
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  #open = true;
  length = 0;

  constructor(path: string) {
    this.path = path;
    this.#descriptor = openSync(path, 'wx');
  }

  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
    this.length += bytes.length;
  }

  close(): { bytes: number; sha256: string } {
    fsyncSync(this.#descriptor);
    this.abandon();
    return { bytes: this.length, sha256: this.#hash.digest('hex') };
  }

  abandon(): void {
    if (this.#open) closeSync(this.#descriptor);
    this.#open = false;
  }
}
