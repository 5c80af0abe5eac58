/**
 * One row group as bytes: encoded wherever there is a free core, and put into a file by the one that writes it.
 *
 * Only this file and `parquet-file.ts` know how Parquet is written, and only `column-chunk.ts` how it is read.
 */
import { crc32, gzipSync } from 'node:zlib';
import type { RowGroup } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell, Table } from './layout.ts';
import { CODEC, schemaOf } from './parquet-schema.ts';

/** About as many rows as a group holds: one company is read fast, and compression still has enough to go on. */
export const GROUP_ROWS = 2000;

export interface EncodedGroup {
  readonly firstCik: number;
  readonly lastCik: number;
  readonly rows: number;
  /** The column chunks, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly chunks: readonly { readonly length: number; readonly crc32: number }[];
  /** The group's entry of a footer, with offsets as if the group followed the four bytes that open a file. */
  readonly footer: RowGroup;
}

export const MAGIC_BYTES = 4;
const COMPRESSORS = { GZIP: (bytes: Uint8Array) => gzipSync(bytes, { level: 6 }) };

/** Columns whose bounds a query can skip row groups by. Bounds of the rest would only fatten the footer. */
const BOUNDED = new Set(['cik', 'metric_key', 'ticker', 'end_date', 'filed_at']);

export function encodeGroup(table: Table, columns: readonly Cell[][], ciks: readonly number[]): EncodedGroup {
  const buffer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer: buffer,
    schema: schemaOf(table),
    codec: CODEC,
    compressors: COMPRESSORS,
    statisticsTruncateLength: 64,
  });
  const rows = columns[0]?.length ?? 0;
  parquet.write({
    columnData: table.columns.map(({ name }, index) => ({
      name,
      data: columns[index] ?? [],
      statistics: BOUNDED.has(name),
      offsetIndex: false,
    })),
    rowGroupSize: Math.max(rows, 1),
    pageSize: 1 << 24,
  });
  const [footer] = parquet.row_groups;
  if (footer === undefined) throw new Error(`a row group of ${table.name} has no rows`);
  const bytes = buffer.getBytes().slice(MAGIC_BYTES);
  return {
    firstCik: ciks[0] ?? 0,
    lastCik: ciks.at(-1) ?? 0,
    rows,
    bytes,
    chunks: chunksOf(bytes, footer),
    footer,
  };
}

function chunksOf(bytes: Uint8Array, footer: RowGroup): { length: number; crc32: number }[] {
  let offset = 0;
  return footer.columns.map((column) => {
    const length = Number(column.meta_data?.total_compressed_size ?? 0n);
    const chunk = bytes.subarray(offset, offset + length);
    offset += length;
    return { length, crc32: crc32(chunk) };
  });
}
