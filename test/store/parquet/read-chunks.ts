/** Both decoders of column chunks, each for the chunks of one row group. */

import { type ColumnCells, decodeCells } from '../../../src/store/parquet/read/column-chunk.ts';
import { decodeChunkCells } from '../../../src/store/parquet/read/decode-cells.ts';
import {
  type ChunkPages,
  type ContentLimits,
  readPagesOfGroups,
  type StoredChunk,
} from '../../../src/store/parquet/read/pages.ts';
import type { Cell } from '../../../src/store/schema/columns.ts';

export function readCells(chunks: readonly StoredChunk[], size: ContentLimits, onlyRows?: readonly number[]): Cell[][] {
  const [group = []] = readPagesOfGroups([{ chunks, size }]);
  return group.map((pages) => decodeChunkCells(pages, size.rows, onlyRows));
}

export function readColumnChunk(chunk: StoredChunk, size: ContentLimits): ColumnCells {
  const [[pages] = []] = readPagesOfGroups([{ chunks: [chunk], size }]);
  return decodeCells(pages as ChunkPages, { from: 0, to: size.rows });
}
