/** Writes one column chunk: a dictionary page if the caller has made a dictionary, then one data page (version 2). */

import type { ColumnType, StoredValue } from '../format/column-type.ts';
import { ENCODING_NUMBERS } from '../format/thrift-struct.ts';
import { encodeIndices, encodePlainValues, encodeRuns } from './page-content.ts';
import type { PageWriter } from './page-writer.ts';
import { type Bounds, findBounds } from './statistics.ts';

export interface ChunkContent {
  readonly rows: number;
  /** 1 for each row with a value, 0 for each null row; null for a required column. */
  readonly levels: Uint8Array | null;
  /** With a dictionary, the distinct values. Without a dictionary, the values of all rows, except nulls. */
  readonly values: readonly StoredValue[];
  /** Index into `values` for each row that has a value; null if the chunk has no dictionary. */
  readonly indices: Uint32Array | null;
}

/** The footer's data about a column chunk. */
export interface ColumnChunk {
  readonly length: number;
  /** Size in bytes before compression. */
  readonly uncompressedBytes: number;
  /** Offset of the data page within the chunk, after the dictionary page; 0 without a dictionary. */
  readonly dataPageOffset: number;
  readonly statistics: { readonly nulls: number; readonly bounds: Bounds | null } | null;
}

/**
 * Writes a column chunk and returns the footer's data about the chunk.
 * @param hasBounds whether the footer contains the chunk's bounds and number of nulls, by which queries skip row
 * groups
 */
export function writeColumn(
  pages: PageWriter,
  type: ColumnType,
  { rows, levels, values, indices }: ChunkContent,
  hasBounds: boolean,
): ColumnChunk {
  const [start, unpacked] = [pages.length, pages.uncompressedBytes];
  const nullCount = rows - (indices ?? values).length;
  const page = { rows, nulls: nullCount, levels: levels === null ? null : encodeRuns(levels, 1) };
  if (indices !== null) pages.addDictionaryPage(values.length, encodePlainValues(values, type));
  const dataOffset = pages.length - start;
  if (indices === null)
    pages.addDataPage({ ...page, encoding: ENCODING_NUMBERS.plain, content: encodePlainValues(values, type) });
  else {
    const content = encodeIndices(indices, values.length);
    pages.addDataPage({ ...page, encoding: ENCODING_NUMBERS.rleDictionary, content });
  }
  return {
    length: pages.length - start,
    uncompressedBytes: pages.uncompressedBytes - unpacked,
    dataPageOffset: dataOffset,
    statistics: hasBounds ? { nulls: nullCount, bounds: findBounds(values) } : null,
  };
}
