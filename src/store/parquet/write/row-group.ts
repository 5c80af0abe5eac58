/** Encodes row groups. Encoding may run in any thread; the thread that owns the file writes the result. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Cell } from '../../schema/columns.ts';
import type { Table } from '../../schema/declare-table.ts';
import { toParquetColumn } from '../format/column-type.ts';
import { makeChunkContent } from './index-cells.ts';
import { createGzipCompressor, PageWriter } from './page-writer.ts';
import { type ColumnChunk, writeColumn } from './write-column.ts';

/** Approximate number of rows of a row group: few enough to read one company fast, but enough to compress well. */
export const DEFAULT_GROUP_ROWS = 2000;

/**
 * Columns with statistics, which queries use to skip row groups. Statistics of other columns would only enlarge the
 * footer.
 */
const WITH_STATISTICS = new Set(['cik', 'metric_key', 'ticker', 'end_date', 'filed_at']);

/** Value of `firstKey` and `lastKey` in the index of a table without a key. */
const ABSENT_KEY = 0;

export interface EncodedRowGroup {
  readonly firstKey: number;
  readonly lastKey: number;
  readonly rows: number;
  /** All column chunks, concatenated. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly chunks: readonly EncodedChunk[];
  /** Hash of the encoded rows before compression. */
  readonly content: string;
}

type Cells = readonly (readonly Cell[])[];

export type EncodedChunk = ColumnChunk & { readonly crc32: number };

/**
 * Encodes rows as one row group.
 * @param keys the keys of the rows, ascending; empty for a table without a key
 */
export function encodeRowGroup(table: Table, columns: Cells, keys: readonly number[]): EncodedRowGroup {
  const count = columns[0]?.length ?? 0;
  if (count === 0) throw new Error(`a row group of ${table.name} has no rows`);
  const missing = table.columns[columns.length];
  if (missing !== undefined) throw new Error(`a row group of ${table.name} has no column ${missing.name}`);
  const [firstKey = ABSENT_KEY] = keys;
  if ((table.key === null) !== (keys.length === 0))
    throw new Error(`a row group of ${table.name} must have keys if, and only if, the table has a key`);
  const content = createHash('sha256');
  const writer = new PageWriter(createGzipCompressor(), content);
  const encoded = table.columns.map((column, index) => {
    const cells = columns[index] as readonly Cell[];
    if (cells.length !== count)
      throw new Error(`the column ${column.name} of ${table.name} has ${cells.length} rows instead of ${count}`);
    const start = writer.length;
    const { type } = toParquetColumn(column);
    return { start, ...writeColumn(writer, type, makeChunkContent(column, cells), WITH_STATISTICS.has(column.name)) };
  });
  const bytes = writer.bytes();
  const chunks = encoded.map(({ start, ...chunk }) => {
    return { ...chunk, crc32: crc32(bytes.subarray(start, start + chunk.length)) };
  });
  return { firstKey, lastKey: keys.at(-1) ?? ABSENT_KEY, rows: count, bytes, chunks, content: content.digest('hex') };
}
