/** Rows as objects whose fields are read from columns. A column is decoded when one of its fields is first read. */

import { findFirstIndex } from '../platform/collections.ts';
import type { ColumnCells } from './parquet/read/column-chunk.ts';
import type { RowRange } from './parquet/read/runs.ts';
import type { Cell } from './schema/columns.ts';
import type { Table } from './schema/declare-table.ts';

/** Columns are decoded completely if more than 1/MAX_PARTIAL_READ_DENOMINATOR of a row group's rows are requested. */
const MAX_PARTIAL_READ_DENOMINATOR = 2;

/** Some rows of a row group: a range of rows, or the rows given to `readRows`. Columns are decoded on demand. */
export interface RowSource {
  /** Number of the first row within the row group. */
  readonly firstRow: number;
  /** Returns a column by its position in the table; index 0 is the row `firstRow`. */
  readonly cellsOf: (columnIndex: number) => ColumnCells;
}

/** Decodes columns of a row group, given the position of a column in the table. */
interface RowGroupDecoder {
  readonly cells: (columnIndex: number, range: RowRange) => ColumnCells;
  /** Decodes the given rows, which must be ascending and distinct. */
  readonly cellsAt: (columnIndex: number, rows: readonly number[]) => ColumnCells;
}

/**
 * A row group in memory. At first only the requested range of rows is decoded, because most requests need few rows.
 * When another range is requested, whole columns are decoded and cached.
 */
export class RowGroup {
  readonly rows: number;
  readonly allRows: RowSource;
  readonly #decoder: RowGroupDecoder;
  readonly #decodedCells: (ColumnCells | undefined)[] = [];
  #lastRange: (RowSource & Pick<RowRange, 'to'>) | null = null;
  #hasReadRows = false;

  constructor(rowCount: number, decoder: RowGroupDecoder) {
    this.rows = rowCount;
    this.#decoder = decoder;
    this.allRows = { firstRow: 0, cellsOf: (column) => this.cells(column) };
  }

  cells(column: number): ColumnCells {
    const cells = this.#decodedCells[column] ?? this.#decoder.cells(column, { from: 0, to: this.rows });
    this.#decodedCells[column] = cells;
    return cells;
  }

  readRange({ from, to }: RowRange): RowSource {
    if ((to - from) * MAX_PARTIAL_READ_DENOMINATOR > this.rows) return this.allRows;
    if (this.#lastRange !== null)
      return from === this.#lastRange.firstRow && to === this.#lastRange.to ? this.#lastRange : this.allRows;
    const decoded: (ColumnCells | undefined)[] = [];
    const decode = (column: number) => {
      const cells =
        decoded[column] ?? this.#decodedCells[column]?.slice({ from, to }) ?? this.#decoder.cells(column, { from, to });
      decoded[column] = cells;
      return cells;
    };
    this.#lastRange = { firstRow: from, to, cellsOf: decode };
    return this.#lastRange;
  }

  /**
   * Returns a source that contains the given rows, and the position of each row in the source. Rows must be ascending
   * and distinct.
   */
  readRows(rows: readonly number[]): { readonly rows: RowSource; readonly positions: readonly number[] } {
    if (this.#hasReadRows) return { rows: this.allRows, positions: rows };
    this.#hasReadRows = true;
    const decoded: (ColumnCells | undefined)[] = [];
    const decode = (column: number) => {
      const cells = decoded[column] ?? this.#decoder.cellsAt(column, rows);
      decoded[column] = cells;
      return cells;
    };
    return { rows: { firstRow: 0, cellsOf: decode }, positions: [...rows.keys()] };
  }
}

/** Returns the range of rows whose keys are between `firstKey` and `lastKey`, inclusive; uses binary search. */
export function findRowRangeOfKeys(keys: ColumnCells, firstKey: number, lastKey: number): RowRange {
  const find = (key: number) => findFirstIndex(0, keys.indices.length, (row) => Number(keys.cellAt(row)) >= key);
  return { from: find(firstKey), to: find(lastKey + 1) };
}

export function createRowViewer<Row>(table: Table<Row>): (rows: RowSource, row: number) => Row {
  class RowView {
    // Declared only: an initializer would double the time to create a view.
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
