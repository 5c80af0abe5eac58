/** Rows of a row group as objects that read their fields from columns; each column is decoded when it is first read. */

import type { ColumnCells } from './parquet/read/column-chunk.ts';
import type { RowRange } from './parquet/read/runs.ts';
import type { Cell, Table } from './schema/table.ts';

/** A part larger than the row group divided by this number decodes whole columns. */
const MIN_SHARE_DENOMINATOR = 2;

/** A range of consecutive rows of a row group; each column is decoded on demand. */
export interface RowSource {
  /** Number of the first row. */
  readonly firstRow: number;
  /** Returns a column of the table by position; index 0 is the first row of the range. */
  readonly cellsOf: (columnIndex: number) => ColumnCells;
}

/** Decodes columns of a row group, by their position in the table. */
export interface Decoder {
  /** Decodes a range of consecutive rows. */
  readonly cells: (columnIndex: number, range: RowRange) => ColumnCells;
  /** Decodes single rows, in ascending order. */
  readonly cellsAt: (columnIndex: number, rows: readonly number[]) => ColumnCells;
}

/**
 * A row group in memory. The first part is decoded alone, because most questions need few rows; when a second part is
 * read, columns are decoded whole, for all later readers.
 */
export class RowGroup {
  readonly rows: number;
  readonly allRows: RowSource;
  readonly #decoder: Decoder;
  readonly #decoded: (ColumnCells | undefined)[] = [];
  #lastPart: (RowSource & Pick<RowRange, 'to'>) | null = null;
  #hasReadFew = false;

  constructor(rows: number, decoder: Decoder) {
    this.rows = rows;
    this.#decoder = decoder;
    this.allRows = { firstRow: 0, cellsOf: (columnIndex) => this.cells(columnIndex) };
  }

  cells(columnIndex: number): ColumnCells {
    const cells = this.#decoded[columnIndex] ?? this.#decoder.cells(columnIndex, { from: 0, to: this.rows });
    this.#decoded[columnIndex] = cells;
    return cells;
  }

  /** Returns these rows, or more. */
  readPart({ from, to }: RowRange): RowSource {
    if ((to - from) * MIN_SHARE_DENOMINATOR > this.rows) return this.allRows;
    if (this.#lastPart !== null)
      return from === this.#lastPart.firstRow && to === this.#lastPart.to ? this.#lastPart : this.allRows;
    const decodedColumns: (ColumnCells | undefined)[] = [];
    const cells = (columnIndex: number) => {
      const columnCells =
        decodedColumns[columnIndex] ??
        this.#decoded[columnIndex]?.slice({ from, to }) ??
        this.#decoder.cells(columnIndex, { from, to });
      decodedColumns[columnIndex] = columnCells;
      return columnCells;
    };
    this.#lastPart = { firstRow: from, to, cellsOf: cells };
    return this.#lastPart;
  }

  /** Returns single rows, in ascending order, and their positions in the columns of the result. */
  readFew(rows: readonly number[]): { readonly rows: RowSource; readonly positions: readonly number[] } {
    if (this.#hasReadFew) return { rows: this.allRows, positions: rows };
    this.#hasReadFew = true;
    const decoded: (ColumnCells | undefined)[] = [];
    const cells = (position: number) => {
      const columnCells = decoded[position] ?? this.#decoder.cellsAt(position, rows);
      decoded[position] = columnCells;
      return columnCells;
    };
    return { rows: { firstRow: 0, cellsOf: cells }, positions: [...rows.keys()] };
  }
}

/** Returns the range of rows with keys from `firstKey` to `lastKey`; rows are sorted by key. */
export function rowsOfKeys(keys: ColumnCells, firstKey: number, lastKey: number): RowRange {
  const firstRowFrom = (key: number) => {
    let low = 0;
    let high = keys.indices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Number(keys.cellAt(middle)) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { from: firstRowFrom(firstKey), to: firstRowFrom(lastKey + 1) };
}

/** Returns a function that makes a row object whose fields are read from columns. */
export function rowViewClass<Row>(table: Table<Row>): (rows: RowSource, row: number) => Row {
  class RowView {
    // Only declared: initializing the field would double the cost of a view.
    declare readonly rows: RowSource;
    declare readonly position: number;
    constructor(rows: RowSource, position: number) {
      this.rows = rows;
      this.position = position;
    }
  }
  for (const [columnIndex, { field }] of table.columns.entries()) {
    Object.defineProperty(RowView.prototype, field, {
      get(this: RowView): Cell {
        return this.rows.cellsOf(columnIndex).cellAt(this.position);
      },
    });
  }
  // Safe: `table()` has checked that the columns are the fields of a row.
  return (rows, row) => new RowView(rows, row) as unknown as Row;
}
