/** The column chunks of a row group in memory. A chunk is unpacked when one of its cells is first read. */
import type { Column } from '../../schema/table.ts';
import { computeMaxContentBytes, type RowGroupSize } from '../format/bounds.ts';
import { decodeChunkCells } from './cells.ts';
import { ColumnCells, decodeCells } from './column-chunk.ts';
import { type ChunkPages, readPages, type StoredChunk } from './pages.ts';
import { LazyValues } from './plain-values.ts';
import type { RowRange } from './runs.ts';

/**
 * Chunks smaller than this are unpacked together when one of them is first read, because creating a zlib stream takes
 * longer than unpacking a chunk.
 */
const MAX_SMALL_CHUNK_BYTES = 2048;

export class RowGroupChunks {
  readonly #rows: number;
  /** Number of unpacked bytes that the remaining pages may still have. */
  #maxContentBytes: number;
  readonly #columns: readonly Column[];
  readonly #bytes: readonly (Uint8Array | undefined)[];
  readonly #pages: (ChunkPages | undefined)[] = [];

  /** @param bytes the stored bytes of each column; undefined if the release lacks the column */
  constructor(size: RowGroupSize, columns: readonly Column[], bytes: readonly (Uint8Array | undefined)[]) {
    this.#rows = size.rows;
    this.#maxContentBytes = computeMaxContentBytes(size);
    this.#columns = columns;
    this.#bytes = bytes;
  }

  /**
   * Returns a column's cells for a range of rows; index 0 is the first row of the range. Throws an Error if the column
   * chunk is invalid.
   */
  cells(columnIndex: number, range: RowRange): ColumnCells {
    if (this.#bytes[columnIndex] !== undefined)
      return decodeCells(this.#pages[columnIndex] ?? this.#unpack(columnIndex), range);
    const absentCell = this.#columns[columnIndex]?.absent ?? null;
    return new ColumnCells(new LazyValues([absentCell]), new Uint32Array(range.to - range.from));
  }

  /**
   * Returns a column's cells for the given rows, which must be ascending and distinct. Throws an Error if the column
   * chunk is invalid.
   */
  cellsAt(columnIndex: number, rows: readonly number[]): ColumnCells {
    if (this.#bytes[columnIndex] === undefined) return this.cells(columnIndex, { from: 0, to: rows.length });
    const cells = decodeChunkCells(this.#pages[columnIndex] ?? this.#unpack(columnIndex), this.#rows, rows);
    return new ColumnCells(new LazyValues(cells), Uint32Array.from(cells.keys()));
  }

  #unpack(requestedIndex: number): ChunkPages {
    const equalPages = this.#findEqualUnpackedPages(requestedIndex);
    if (equalPages !== undefined) {
      this.#pages[requestedIndex] = equalPages;
      return equalPages;
    }
    const columnIndices: number[] = [];
    const chunks: StoredChunk[] = [];
    for (const [columnIndex, column] of this.#columns.entries()) {
      const bytes = this.#bytes[columnIndex];
      if (bytes === undefined || this.#pages[columnIndex] !== undefined) continue;
      if (columnIndex !== requestedIndex && bytes.length >= MAX_SMALL_CHUNK_BYTES) continue;
      columnIndices.push(columnIndex);
      chunks.push({ column, bytes });
    }
    const unpackedPages = readPages(chunks, { rows: this.#rows, maxContentBytes: this.#maxContentBytes });
    for (const [index, pages] of unpackedPages.entries()) {
      this.#pages[columnIndices[index] as number] = pages;
      this.#maxContentBytes -= countContentBytes(pages);
    }
    return this.#pages[requestedIndex] as ChunkPages;
  }

  /**
   * Returns the unpacked pages of another column that has the same bytes; undefined if no column has. For example, the
   * columns `value` and `raw_value` may have the same bytes.
   */
  #findEqualUnpackedPages(requestedIndex: number): ChunkPages | undefined {
    const bytes = this.#bytes[requestedIndex] as Uint8Array;
    const { type, nullable } = this.#columns[requestedIndex] as Column;
    return this.#pages.find((pages, columnIndex) => {
      const [otherBytes, column] = [this.#bytes[columnIndex], this.#columns[columnIndex]];
      if (pages === undefined || otherBytes === undefined || column?.type !== type || column.nullable !== nullable)
        return false;
      return otherBytes.length === bytes.length && Buffer.compare(otherBytes, bytes) === 0;
    });
  }
}

function countContentBytes({ dictionary, data }: ChunkPages): number {
  return data.reduce((sum, { content }) => sum + content.length, dictionary?.content.length ?? 0);
}
