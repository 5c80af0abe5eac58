/** Puts the column chunks of a typed table into its file: large row groups with bounds of every column. */
import type { ColumnChunk } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { FIELD_TYPE } from '../../store/parquet/format.ts';
import { OutputFile } from '../../store/table-writer.ts';
import { type FileColumn, schemaOf, typedElement } from './file-column.ts';
import type { EncodedChunk } from './typed-chunk.ts';

export interface TypedFileOptions {
  readonly path: string;
  readonly columns: readonly FileColumn[];
  readonly sortedBy: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The chunk of each column of the file, in their order. */
export interface EncodedRows {
  readonly rows: number;
  readonly chunks: readonly EncodedChunk[];
}

/** Accession numbers and keys of metrics are bounds in full. */
const BOUND_BYTES = 64;

export class TypedFile {
  readonly #file: OutputFile;
  readonly #sortedBy: number;
  readonly #buffer = new ByteWriter();
  readonly #parquet: ParquetWriter;

  constructor({ path, columns, sortedBy, metadata }: TypedFileOptions) {
    this.#file = new OutputFile(path);
    this.#sortedBy = columns.findIndex(({ name }) => name === sortedBy);
    this.#parquet = new ParquetWriter({
      writer: this.#buffer,
      // Values are encoded as they are stored; only the footer says what they mean.
      schema: schemaOf(columns, typedElement),
      statisticsTruncateLength: BOUND_BYTES,
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'fin-filings',
    });
    this.#drain();
  }

  append({ rows, chunks }: EncodedRows): void {
    const begun = this.#file.length;
    let unpacked = 0n;
    const columns = chunks.map(({ bytes, footer }): ColumnChunk => {
      const column = shiftedChunk(footer, BigInt(this.#file.length));
      unpacked += column.meta_data?.total_uncompressed_size ?? 0n;
      this.#file.write(bytes);
      return column;
    });
    const sorting = [{ column_idx: this.#sortedBy, descending: false, nulls_first: false }];
    this.#parquet.num_rows += BigInt(rows);
    this.#parquet.row_groups.push({
      columns,
      total_byte_size: unpacked,
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(this.#file.length - begun),
      ...(this.#sortedBy < 0 ? {} : { sorting_columns: sorting }),
    });
  }

  finish(): { bytes: number; sha256: string; rows: number; rowGroups: number } {
    // The footer's length is taken from where it began.
    this.#buffer.offset = this.#file.length;
    this.#parquet.finish();
    const { num_rows: rows, row_groups: groups } = this.#parquet;
    if (groups.length === 0) declareNoRowGroups(this.#buffer.getBytes());
    this.#drain();
    return { ...this.#file.close(), rows: Number(rows), rowGroups: groups.length };
  }

  /** Closes the file as it is. */
  abandon(): void {
    this.#file.abandon();
  }

  #drain(): void {
    this.#file.write(this.#buffer.getBytes());
    this.#buffer.index = 0;
  }
}

/** In Thrift: field 3, of no rows, and field 4, a list of no items. */
const NO_ROWS = Buffer.of(0x16, 0, 0x19, 0);

/** Says in a footer that its row groups are structures: hyparquet-writer leaves the type of an empty list out, and arrow-rs refuses that. */
function declareNoRowGroups(footer: Uint8Array): void {
  const at = Buffer.from(footer.buffer, footer.byteOffset, footer.length).indexOf(NO_ROWS);
  if (at < 0) throw new Error('a file without rows has a footer of another form');
  footer[at + NO_ROWS.length - 1] = FIELD_TYPE.struct;
}

/** The footer's entry of a column chunk that stands elsewhere than it was encoded for. */
function shiftedChunk(column: ColumnChunk, by: bigint): ColumnChunk {
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
}
