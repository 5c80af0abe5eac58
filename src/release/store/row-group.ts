/** One row group as bytes: encoded wherever there is a free core, and put into a file by the one that writes it. */
import { crc32, gzipSync } from 'node:zlib';
import type { CompressionCodec, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell, Column, Table } from '../schema/table.ts';

/** About as many rows as a row group holds: one company is read fast, and compression still has enough to go on. */
export const ROW_GROUP_ROWS = 2000;

/** The bytes that open a Parquet file. */
export const MAGIC_BYTES = 4;

/** Every reader of Parquet has gzip, and so has every Node. */
const CODEC: CompressionCodec = 'GZIP';
/** What gzip may add to what it cannot make smaller. */
const GZIP_ROOM = 64;
/** With room enough at once: the default takes sixteen kilobytes for the smallest page. */
const COMPRESSORS = {
  [CODEC]: (bytes: Uint8Array) => gzipSync(bytes, { level: 6, chunkSize: bytes.length + GZIP_ROOM }),
};

/** Columns whose bounds a query can skip row groups by. Bounds of the rest would only fatten the footer. */
const BOUNDED = new Set(['cik', 'metric_key', 'ticker', 'end_date', 'filed_at']);

/** In the index of a table without a key. */
const NO_KEY = 0;

export interface EncodedRowGroup {
  readonly firstKey: number;
  readonly lastKey: number;
  readonly rows: number;
  /** The column chunks, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly chunks: readonly { readonly length: number; readonly crc32: number }[];
  /** The row group's entry of a footer, with offsets as if it followed the bytes that open a file. */
  readonly footer: RowGroup;
}

/** @param keys those of the rows, ascending; none of a table without a key */
export function encodeRowGroup(
  table: Table,
  columns: readonly (readonly Cell[])[],
  keys: readonly number[],
): EncodedRowGroup {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: schemaOf(table), codec: CODEC, compressors: COMPRESSORS });
  const columnData = table.columns.map(({ name }, index) => {
    const data = columns[index];
    if (data === undefined) throw new Error(`a row group of ${table.name} has no column ${name}`);
    return { name, data: data as Cell[], statistics: BOUNDED.has(name), offsetIndex: false };
  });
  parquet.write({ columnData, rowGroupSize: Number.MAX_SAFE_INTEGER });
  const [footer] = parquet.row_groups;
  if (footer === undefined) throw new Error(`a row group of ${table.name} has no rows`);
  const bytes = writer.getBytes().slice(MAGIC_BYTES);
  const [firstKey = NO_KEY] = keys;
  if ((table.key === null) !== (keys.length === 0)) throw new Error(`a row group of ${table.name} has the wrong keys`);
  return {
    firstKey,
    lastKey: keys.at(-1) ?? NO_KEY,
    rows: Number(footer.num_rows),
    bytes,
    chunks: chunksOf(bytes, footer),
    footer,
  };
}

export function schemaOf(table: Table): SchemaElement[] {
  return [{ name: 'root', num_children: table.columns.length }, ...table.columns.map(elementOf)];
}

function elementOf({ name, type, nullable }: Column): SchemaElement {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  if (type === 'integer') return { name, type: 'INT32', repetition_type };
  if (type === 'boolean') return { name, type: 'BOOLEAN', repetition_type };
  return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type };
}

function chunksOf(bytes: Uint8Array, { columns }: RowGroup): { length: number; crc32: number }[] {
  let offset = 0;
  return columns.map(({ meta_data }) => {
    if (meta_data === undefined) throw new Error('a column chunk was written without its metadata');
    const length = Number(meta_data.total_compressed_size);
    const chunk = bytes.subarray(offset, offset + length);
    offset += length;
    return { length, crc32: crc32(chunk) };
  });
}
