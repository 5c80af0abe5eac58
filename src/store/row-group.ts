/** One row group as bytes: encoded wherever there is a free core, and put into a file by the one that writes it. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { parquetColumn } from './parquet/column-type.ts';
import { indexCells } from './parquet/index-cells.ts';
import { gzipEach, PageWriter } from './parquet/page-writer.ts';
import { type ColumnChunk, writeColumn } from './parquet/write-column.ts';
import type { Cell, Table } from './schema/table.ts';

/** About as many rows as a row group holds: one company is read fast, and compression still has enough to go on. */
export const ROW_GROUP_ROWS = 2000;

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
  readonly chunks: readonly EncodedChunk[];
  /** The hash of the rows, before they were compressed. */
  readonly content: string;
}

export type EncodedChunk = ColumnChunk & { readonly crc32: number };

/** @param keys those of the rows, ascending; none of a table without a key */
export function encodeRowGroup(
  table: Table,
  columns: readonly (readonly Cell[])[],
  keys: readonly number[],
): EncodedRowGroup {
  const rows = columns[0]?.length ?? 0;
  if (rows === 0) throw new Error(`a row group of ${table.name} has no rows`);
  const missing = table.columns[columns.length];
  if (missing !== undefined) throw new Error(`a row group of ${table.name} has no column ${missing.name}`);
  const [firstKey = NO_KEY] = keys;
  if ((table.key === null) !== (keys.length === 0)) throw new Error(`a row group of ${table.name} has the wrong keys`);
  const hash = createHash('sha256');
  const pages = new PageWriter(gzipEach(), hash);
  const encoded = table.columns.map((column, index) => {
    const cells = columns[index] as readonly Cell[];
    if (cells.length !== rows)
      throw new Error(`the column ${column.name} of ${table.name} has not the ${rows} rows of others`);
    const start = pages.length;
    const { type } = parquetColumn(column);
    return { start, ...writeColumn(pages, type, indexCells(column, cells), BOUNDED.has(column.name)) };
  });
  const bytes = pages.bytes();
  const chunks = encoded.map(({ start, ...chunk }) => ({
    ...chunk,
    crc32: crc32(bytes.subarray(start, start + chunk.length)),
  }));
  return { firstKey, lastKey: keys.at(-1) ?? NO_KEY, rows, bytes, chunks, content: hash.digest('hex') };
}
