/** Rows as objects whose fields are read from columns. A column is decoded when one of its fields is first read. */

import { findFirstIndex } from '../platform/collections.ts';
import { computeMaxContentBytes, type RowGroupSize } from './parquet/format/bounds.ts';
import { ColumnCells, decodeCells } from './parquet/read/column-chunk.ts';
import { type ChunkPages, readPagesOfGroups, type StoredChunk } from './parquet/read/pages.ts';
import type { RowRange } from './parquet/read/runs.ts';
import type { Cell, Column } from './schema/columns.ts';
import type { Table } from './schema/declare-table.ts';

/** Columns are decoded completely if more than 1/MAX_PARTIAL_READ_DENOMINATOR of a row group's rows are requested. */
const MAX_PARTIAL_READ_DENOMINATOR = 2;
/**
 * Chunks smaller than this are unpacked together when one of them is first read, because creating a zlib stream takes
 * longer than unpacking a chunk.
 */
const MAX_SMALL_CHUNK_BYTES = 2048;

/** A range of rows of a row group. Columns are decoded on demand. */
export interface RowSource {
  /** Index of the first row within the row group. */
  readonly firstRow: number;
  /** Returns a column by its position in the table; index 0 is the row `firstRow`. */
  readonly cellsOf: (columnIndex: number) => ColumnCells;
}

/**
 * A row group in memory. A column chunk is unpacked when one of its cells is first read. At first only the requested
 * range of rows is decoded, because most requests need few rows. When another range is requested, whole columns are
 * decoded and cached.
 */
export class RowGroup {
  readonly rows: number;
  readonly allRows: RowSource;
  /** Number of unpacked bytes that the remaining pages may still have. */
  #maxContentBytes: number;
  readonly #pages: (ChunkPages | undefined)[] = [];
  readonly #decodedCells: (ColumnCells | undefined)[] = [];
  #lastRange: (RowSource & Pick<RowRange, 'to'>) | null = null;

  /**
   * @param bytes the stored bytes of each column; undefined if the release lacks the column
   * @param explainFault calls `decode`, and rethrows its error if a column chunk is invalid
   */
  constructor(
    size: RowGroupSize,
    private readonly columns: readonly Column[],
    private readonly bytes: readonly (Uint8Array | undefined)[],
    private readonly explainFault: (decode: () => ColumnCells) => ColumnCells,
  ) {
    this.rows = size.rows;
    this.allRows = { firstRow: 0, cellsOf: (column) => this.cells(column) };
    this.#maxContentBytes = computeMaxContentBytes(size);
  }

  cells(column: number): ColumnCells {
    this.#decodedCells[column] ??= this.#decode(column, { from: 0, to: this.rows });
    return this.#decodedCells[column];
  }

  readRange({ from, to }: RowRange): RowSource {
    if ((to - from) * MAX_PARTIAL_READ_DENOMINATOR > this.rows) return this.allRows;
    if (this.#lastRange !== null)
      return from === this.#lastRange.firstRow && to === this.#lastRange.to ? this.#lastRange : this.allRows;
    const cellsByColumn: (ColumnCells | undefined)[] = [];
    const decode = (column: number) => {
      cellsByColumn[column] ??= this.#decodedCells[column]?.slice({ from, to }) ?? this.#decode(column, { from, to });
      return cellsByColumn[column];
    };
    this.#lastRange = { firstRow: from, to, cellsOf: decode };
    return this.#lastRange;
  }

  /** Returns a column's cells for a range of rows; index 0 is the first row of the range. */
  #decode(column: number, range: RowRange): ColumnCells {
    if (this.bytes[column] === undefined) {
      const absentCell = this.columns[column]?.absent ?? null;
      return new ColumnCells([absentCell], new Uint32Array(range.to - range.from));
    }
    return this.explainFault(() => decodeCells(this.#pages[column] ?? this.#unpack(column), range));
  }

  #unpack(requested: number): ChunkPages {
    const equalPages = this.#findEqualUnpackedPages(requested);
    if (equalPages !== undefined) {
      this.#pages[requested] = equalPages;
      return equalPages;
    }
    const chunks: (StoredChunk & { readonly index: number })[] = [];
    for (const [index, column] of this.columns.entries()) {
      const bytes = this.bytes[index];
      if (bytes === undefined || this.#pages[index] !== undefined) continue;
      if (index === requested || bytes.length < MAX_SMALL_CHUNK_BYTES) chunks.push({ index, column, bytes });
    }
    const size = { rows: this.rows, maxContentBytes: this.#maxContentBytes };
    const [pagesOfChunks = []] = readPagesOfGroups([{ chunks, size }]);
    for (const [at, { index }] of chunks.entries()) {
      const pages = pagesOfChunks[at] as ChunkPages;
      this.#pages[index] = pages;
      this.#maxContentBytes -= countContentBytes(pages);
    }
    return this.#pages[requested] as ChunkPages;
  }

  /**
   * Returns the unpacked pages of another column that has the same bytes; undefined if no column has. For example, the
   * columns `value` and `raw_value` may have the same bytes.
   */
  #findEqualUnpackedPages(requested: number): ChunkPages | undefined {
    const bytes = this.bytes[requested] as Uint8Array;
    const { type, nullable } = this.columns[requested] as Column;
    return this.#pages.find((pages, index) => {
      const [otherBytes, column] = [this.bytes[index], this.columns[index]];
      if (pages === undefined || otherBytes === undefined || column?.type !== type || column.nullable !== nullable)
        return false;
      return otherBytes.length === bytes.length && Buffer.compare(otherBytes, bytes) === 0;
    });
  }
}

const countContentBytes = ({ dictionary, data }: ChunkPages): number =>
  data.reduce((sum, { content }) => sum + content.length, dictionary?.content.length ?? 0);

/** Returns the range of rows whose keys are between `firstKey` and `lastKey`, inclusive; uses binary search. */
export function findRowRangeOfKeys(keys: ColumnCells, firstKey: number, lastKey: number): RowRange {
  const find = (key: number) => findFirstIndex(0, keys.indices.length, (row) => Number(keys.cellAt(row)) >= key);
  return { from: find(firstKey), to: find(lastKey + 1) };
}

export function createRowViewer<Row>(table: Table<Row>): (rows: RowSource, row: number) => Row {
  class RowView {
    // Declared without an initializer, which would double the time to create a view.
    declare readonly rows: RowSource;
    declare readonly position: number;
    constructor(rowSource: RowSource, position: number) {
      this.rows = rowSource;
      this.position = position;
    }
  }
  for (const [column, { field }] of table.columns.entries()) {
    Object.defineProperty(RowView.prototype, field, {
      get(this: RowView): Cell {
        return this.rows.cellsOf(column).cellAt(this.position);
      },
    });
  }
  // The cast is safe, because `table()` ensures that columns and fields match.
  return (rows, row) => new RowView(rows, row) as unknown as Row;
}
