/** The column chunks of a row group in memory; each is unpacked when one of its cells is first read. */
import type { Column } from '../../schema/table.ts';
import { maxContentBytes, type RowGroupSize } from '../bounds.ts';
import { cellsIn } from './cells.ts';
import { ColumnCells, cellsOf } from './column-chunk.ts';
import { type ChunkPages, readPages, type StoredChunk } from './pages.ts';
import { Values } from './plain-values.ts';
import type { RowRange } from './runs.ts';

/**
 * Maximum size of small chunks, in bytes. These are unpacked together when the first is read: a stream for each would
 * cost Node.js more than unpacking.
 */
const SMALL_BYTES = 2048;

export class RowGroupChunks {
  readonly #rows: number;
  /** Number of unpacked bytes that pages may still have. */
  #maxContent: number;
  readonly #columns: readonly Column[];
  readonly #bytes: readonly (Uint8Array | undefined)[];
  readonly #pages: (ChunkPages | undefined)[] = [];

  /** @param bytes the bytes of each column; undefined for columns that the release lacks */
  constructor(size: RowGroupSize, columns: readonly Column[], bytes: readonly (Uint8Array | undefined)[]) {
    this.#rows = size.rows;
    this.#maxContent = maxContentBytes(size);
    this.#columns = columns;
    this.#bytes = bytes;
  }

  /**
   * Returns the cells of a column for a range of rows, whose first row has index 0. Throws as reading the chunk does.
   */
  cells(at: number, range: RowRange): ColumnCells {
    if (this.#bytes[at] !== undefined) return cellsOf(this.#pages[at] ?? this.#unpack(at), range);
    const absent = this.#columns[at]?.absent ?? null;
    return new ColumnCells(new Values([absent]), new Uint32Array(range.to - range.from));
  }

  /** Returns the cells of a column for these rows only, ascending and distinct. Throws as reading the chunk does. */
  cellsAt(at: number, rows: readonly number[]): ColumnCells {
    if (this.#bytes[at] === undefined) return this.cells(at, { from: 0, to: rows.length });
    const cells = cellsIn(this.#pages[at] ?? this.#unpack(at), this.#rows, rows);
    return new ColumnCells(new Values(cells), Uint32Array.from(cells.keys()));
  }

  #unpack(wanted: number): ChunkPages {
    const equal = this.#unpackedEqual(wanted);
    if (equal !== undefined) {
      this.#pages[wanted] = equal;
      return equal;
    }
    const places: number[] = [];
    const chunks: StoredChunk[] = [];
    for (const [at, column] of this.#columns.entries()) {
      const bytes = this.#bytes[at];
      if (bytes === undefined || this.#pages[at] !== undefined) continue;
      if (at !== wanted && bytes.length >= SMALL_BYTES) continue;
      places.push(at);
      chunks.push({ column, bytes });
    }
    const read = readPages(chunks, { rows: this.#rows, maxContent: this.#maxContent });
    for (const [index, pages] of read.entries()) {
      this.#pages[places[index] as number] = pages;
      this.#maxContent -= contentBytes(pages);
    }
    return this.#pages[wanted] as ChunkPages;
  }

  /** The pages of another column with the same bytes: values and values as filed differ only if a sign does. */
  #unpackedEqual(wanted: number): ChunkPages | undefined {
    const bytes = this.#bytes[wanted] as Uint8Array;
    const { type, nullable } = this.#columns[wanted] as Column;
    return this.#pages.find((pages, at) => {
      const [other, column] = [this.#bytes[at], this.#columns[at]];
      if (pages === undefined || other === undefined || column?.type !== type || column.nullable !== nullable)
        return false;
      return other.length === bytes.length && Buffer.compare(other, bytes) === 0;
    });
  }
}

function contentBytes({ dictionary, data }: ChunkPages): number {
  return data.reduce((sum, { content }) => sum + content.length, dictionary?.content.length ?? 0);
}
