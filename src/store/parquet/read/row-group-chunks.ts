/** The column chunks of a row group in memory. A chunk is unpacked when one of its cells is first read. */
import type { Column } from '../../schema/columns.ts';
import { computeMaxContentBytes, type RowGroupSize } from '../format/bounds.ts';
import { ColumnCells, decodeCells } from './column-chunk.ts';
import { decodeChunkCells } from './decode-cells.ts';
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
  cells(column: number, range: RowRange): ColumnCells {
    if (this.#bytes[column] !== undefined) return decodeCells(this.#pages[column] ?? this.#unpack(column), range);
    const absent = this.#columns[column]?.absent ?? null;
    return new ColumnCells(new LazyValues([absent]), new Uint32Array(range.to - range.from));
  }

  /**
   * Returns a column's cells for the given rows, which must be ascending and distinct. Throws an Error if the column
   * chunk is invalid.
   */
  cellsAt(column: number, rows: readonly number[]): ColumnCells {
    if (this.#bytes[column] === undefined) return this.cells(column, { from: 0, to: rows.length });
    const cells = decodeChunkCells(this.#pages[column] ?? this.#unpack(column), this.#rows, rows);
    return new ColumnCells(new LazyValues(cells), Uint32Array.from(cells.keys()));
  }

  #unpack(requested: number): ChunkPages {
    const equal = this.#findEqualUnpackedPages(requested);
    if (equal !== undefined) {
      this.#pages[requested] = equal;
      return equal;
    }
    const columns: number[] = [];
    const chunks: StoredChunk[] = [];
    for (const [index, column] of this.#columns.entries()) {
      const bytes = this.#bytes[index];
      if (bytes === undefined || this.#pages[index] !== undefined) continue;
      if (index !== requested && bytes.length >= MAX_SMALL_CHUNK_BYTES) continue;
      columns.push(index);
      chunks.push({ column, bytes });
    }
    const unpacked = readPages(chunks, { rows: this.#rows, maxContentBytes: this.#maxContentBytes });
    for (const [index, pages] of unpacked.entries()) {
      this.#pages[columns[index] as number] = pages;
      this.#maxContentBytes -= countContentBytes(pages);
    }
    return this.#pages[requested] as ChunkPages;
  }

  /**
   * Returns the unpacked pages of another column that has the same bytes; undefined if no column has. For example, the
   * columns `value` and `raw_value` may have the same bytes.
   */
  #findEqualUnpackedPages(requested: number): ChunkPages | undefined {
    const bytes = this.#bytes[requested] as Uint8Array;
    const { type, nullable } = this.#columns[requested] as Column;
    return this.#pages.find((first, index) => {
      const [other, column] = [this.#bytes[index], this.#columns[index]];
      if (first === undefined || other === undefined || column?.type !== type || column.nullable !== nullable)
        return false;
      return other.length === bytes.length && Buffer.compare(other, bytes) === 0;
    });
  }
}

const countContentBytes = ({ dictionary, data }: ChunkPages): number =>
  data.reduce((sum, { content }) => sum + content.length, dictionary?.content.length ?? 0);
