/** Encodes row groups. Encoding may run in any thread; the thread that owns the file writes the result. */

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Cell, Column } from '../../schema/columns.ts';
import type { Table } from '../../schema/declare-table.ts';
import { toParquetColumn } from '../format/column-type.ts';
import { type ChunkContent, type ColumnChunk, createGzipCompressor, PageWriter, writeColumn } from './page-writer.ts';

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
  const missingColumn = table.columns[columns.length];
  if (missingColumn !== undefined) throw new Error(`a row group of ${table.name} has no column ${missingColumn.name}`);
  const [firstKey = ABSENT_KEY] = keys;
  if ((table.key === null) !== (keys.length === 0))
    throw new Error(`a row group of ${table.name} must have keys if, and only if, the table has a key`);
  const content = createHash('sha256');
  const writer = new PageWriter(createGzipCompressor(), content);
  const encodedColumns = table.columns.map((column, index) => {
    const cells = columns[index] as readonly Cell[];
    if (cells.length !== count)
      throw new Error(`the column ${column.name} of ${table.name} has ${cells.length} rows instead of ${count}`);
    const start = writer.length;
    const { type } = toParquetColumn(column);
    return { start, ...writeColumn(writer, type, makeChunkContent(column, cells), WITH_STATISTICS.has(column.name)) };
  });
  const bytes = writer.bytes();
  const chunks = encodedColumns.map(({ start, ...chunk }) => {
    return { ...chunk, crc32: crc32(bytes.subarray(start, start + chunk.length)) };
  });
  return { firstKey, lastKey: keys.at(-1) ?? ABSENT_KEY, rows: count, bytes, chunks, content: content.digest('hex') };
}

type PresentCell = Exclude<Cell, null>;

/**
 * Maximum number of sampled cells. A column gets a dictionary if the distinct values in the sample occur at least
 * MIN_MEAN_OCCURRENCES times on average.
 */
const MAX_SAMPLED_CELLS = 128;
const MIN_MEAN_OCCURRENCES = 2;

/** Returns the content of a column chunk, with a dictionary if values recur. Throws if a required column has a null. */
function makeChunkContent({ name, type, nullable }: Column, cells: readonly Cell[]): ChunkContent {
  const values = cells.includes(null) ? cells.filter((cell) => cell !== null) : (cells as readonly PresentCell[]);
  const nulls = cells.length - values.length;
  if (nulls > 0 && !nullable) throw new Error(`the column ${name} requires a value in every row; nulls: ${nulls}`);
  const rowsAndLevels = { rows: cells.length, levels: nullable ? listDefinitionLevels(cells) : null };
  // Booleans get no dictionary, because some readers do not support dictionaries of booleans.
  if (type === 'boolean' || !hasRecurringValues(cells)) return { ...rowsAndLevels, values, indices: null };
  return { ...rowsAndLevels, ...buildDictionary(values) };
}

function listDefinitionLevels(cells: readonly Cell[]): Uint8Array {
  const levels = new Uint8Array(cells.length);
  for (let row = 0; row < levels.length; row++) if (cells[row] !== null) levels[row] = 1;
  return levels;
}

function hasRecurringValues(cells: readonly Cell[]): boolean {
  const distinct = new Set<Cell>();
  let sampleCount = 0;
  const step = Math.ceil(cells.length / MAX_SAMPLED_CELLS);
  for (let row = 0; row < cells.length && distinct.size * MIN_MEAN_OCCURRENCES <= MAX_SAMPLED_CELLS; row += step) {
    const cell = cells[row] as Cell;
    if (cell === null) continue;
    distinct.add(cell);
    sampleCount += 1;
  }
  return sampleCount > 0 && distinct.size * MIN_MEAN_OCCURRENCES <= sampleCount;
}

/** Returns the distinct values in order of first occurrence, and the index of each row's value. */
function buildDictionary(cells: readonly PresentCell[]): { values: PresentCell[]; indices: Uint32Array } {
  const indexes = new Map<PresentCell, number>();
  const values: PresentCell[] = [];
  const indices = new Uint32Array(cells.length);
  let [lastValue, lastIndex]: [PresentCell | undefined, number] = [undefined, 0];
  for (let row = 0; row < cells.length; row++) {
    const value = cells[row] as PresentCell;
    if (value !== lastValue) {
      lastIndex = indexes.get(value) ?? values.length;
      if (lastIndex === values.length) {
        indexes.set(value, lastIndex);
        values.push(value);
      }
      lastValue = value;
    }
    indices[row] = lastIndex;
  }
  return { values, indices };
}
