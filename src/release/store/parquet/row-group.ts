/**
 * One row group as bytes: encoded wherever there is a free core, and put into a file by the one that writes it.
 *
 * Only this file, `chunk-writer.ts` and `table-writer.ts` know how Parquet is written, and only `column-chunk.ts` how it is read.
 */
import { crc32 } from 'node:zlib';
import type { RowGroup } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import type { Cell, Table } from '../../schema/table.ts';
import { writeChunk } from './column-chunk-writer.ts';

/** About as many rows as a group holds: one company is read fast, and compression still has enough to go on. */
export const ROW_GROUP_ROWS = 2000;

export interface EncodedRowGroup {
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

/** Columns whose bounds a query can skip row groups by. Bounds of the rest would only fatten the footer. */
const BOUNDED = new Set(['cik', 'metric_key', 'ticker', 'end_date', 'filed_at']);

export function encodeRowGroup(
  table: Table,
  columns: readonly (readonly Cell[])[],
  ciks: readonly number[],
): EncodedRowGroup {
  const rows = columns[0]?.length ?? 0;
  if (rows === 0) throw new Error(`a row group of ${table.name} has no rows`);
  const writer = new ByteWriter(rows * table.columns.length);
  // As if it followed what opens a file.
  writer.offset = MAGIC_BYTES;
  const chunks = table.columns.map((column, index) =>
    writeChunk(writer, column, columns[index] ?? [], BOUNDED.has(column.name)),
  );
  const bytes = writer.getBytes().slice();
  const footer = {
    columns: chunks,
    total_byte_size: chunks.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
    num_rows: BigInt(rows),
    total_compressed_size: BigInt(bytes.length),
  };
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
