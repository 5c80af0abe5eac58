/** Writes one column chunk: a dictionary page if the caller made a dictionary, then all rows as one data page (version 2). */

import type { ColumnType, StoredValue } from '../column-type.ts';
import { ENCODING_NUMBERS } from '../format.ts';
import { encodeIndices, encodeRuns, plainContent } from './page-content.ts';
import type { PageWriter } from './page-writer.ts';
import { type Bounds, boundsOf } from './statistics.ts';

/** The rows of a column chunk. */
export interface ColumnRows {
  readonly rows: number;
  /** For each row 1 if it has a value, otherwise 0; null for a column that allows no null. */
  readonly levels: Uint8Array | null;
  /** With indices, the distinct values; otherwise the values of rows that have one. */
  readonly values: readonly StoredValue[];
  /** For each row that has a value, its index among the values. */
  readonly indices: Uint32Array | null;
}

/** A footer's description of a column chunk. */
export interface ColumnChunk {
  readonly length: number;
  /** Length before compression. */
  readonly uncompressedBytes: number;
  /** Position of the data page, after the dictionary; 0 without a dictionary. */
  readonly dataPageOffset: number;
  readonly statistics: { readonly nulls: number; readonly bounds: Bounds | null } | null;
}

/**
 * @param hasStatistics whether the footer has bounds and the number of nulls of the chunk, by which queries skip row
 * groups
 */
export function writeColumn(
  pages: PageWriter,
  type: ColumnType,
  { rows, levels, values, indices }: ColumnRows,
  hasStatistics: boolean,
): ColumnChunk {
  const [start, uncompressedBytes] = [pages.length, pages.uncompressedBytes];
  const nulls = rows - (indices ?? values).length;
  const page = { rows, nulls, levels: levels === null ? null : encodeRuns(levels, 1) };
  if (indices !== null) pages.addDictionaryPage(values.length, plainContent(values, type));
  const dataPageOffset = pages.length - start;
  if (indices === null)
    pages.addDataPage({ ...page, encoding: ENCODING_NUMBERS.plain, content: plainContent(values, type) });
  else
    pages.addDataPage({
      ...page,
      encoding: ENCODING_NUMBERS.rleDictionary,
      content: encodeIndices(indices, values.length),
    });
  return {
    length: pages.length - start,
    uncompressedBytes: pages.uncompressedBytes - uncompressedBytes,
    dataPageOffset,
    statistics: hasStatistics ? { nulls, bounds: boundsOf(values) } : null,
  };
}
