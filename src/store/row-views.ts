/** Rows of a row group as objects that read their fields from columns; each column is decoded when it is first read. */

import type { ColumnCells } from './parquet/read/column-chunk.ts';
import type { RowRange } from './parquet/read/runs.ts';
import type { Cell, Table } from './schema/table.ts';

/** A part larger than the row group divided by this number decodes whole columns. */
const MIN_PARTS = 2;

/** A range of consecutive rows of a row group; each column is decoded on demand. */
export interface Rows {
  /** Number of the first row. */
  readonly from: number;
  /** Returns a column of the table by position; index 0 is the first row of the range. */
  readonly cells: (at: number) => ColumnCells;
}

/** Decodes columns of a row group, by their position in the table. */
export interface Decoder {
  /** Decodes a range of consecutive rows. */
  readonly cells: (at: number, range: RowRange) => ColumnCells;
  /** Decodes single rows, in ascending order. */
  readonly cellsAt: (at: number, rows: readonly number[]) => ColumnCells;
}

/**
 * A row group in memory. The first part is decoded alone, because most questions need few rows; when a second part is
 * read, columns are decoded whole, for all later readers.
 */
export class RowGroup {
  readonly rows: number;
  readonly all: Rows;
  readonly #decoder: Decoder;
  readonly #decoded: (ColumnCells | undefined)[] = [];
  #part: (Rows & RowRange) | null = null;
  #hadFew = false;

  constructor(rows: number, decoder: Decoder) {
    this.rows = rows;
    this.#decoder = decoder;
    this.all = { from: 0, cells: (at) => this.cells(at) };
  }

  cells(at: number): ColumnCells {
    const cells = this.#decoded[at] ?? this.#decoder.cells(at, { from: 0, to: this.rows });
    this.#decoded[at] = cells;
    return cells;
  }

  /** Returns these rows, or more. */
  part({ from, to }: RowRange): Rows {
    if ((to - from) * MIN_PARTS > this.rows) return this.all;
    if (this.#part !== null) return from === this.#part.from && to === this.#part.to ? this.#part : this.all;
    const decoded: (ColumnCells | undefined)[] = [];
    const cells = (at: number) => {
      const known = decoded[at] ?? this.#decoded[at]?.part({ from, to }) ?? this.#decoder.cells(at, { from, to });
      decoded[at] = known;
      return known;
    };
    this.#part = { from, to, cells };
    return this.#part;
  }

  /** Returns single rows, in ascending order, and their positions in the columns of the result. */
  few(rows: readonly number[]): { readonly rows: Rows; readonly places: readonly number[] } {
    if (this.#hadFew) return { rows: this.all, places: rows };
    this.#hadFew = true;
    const decoded: (ColumnCells | undefined)[] = [];
    const cells = (at: number) => {
      const known = decoded[at] ?? this.#decoder.cellsAt(at, rows);
      decoded[at] = known;
      return known;
    };
    return { rows: { from: 0, cells }, places: [...rows.keys()] };
  }
}

/** Returns the range of rows with keys from `first` to `last`; rows are sorted by key. */
export function rowsOfKeys(keys: ColumnCells, first: number, last: number): RowRange {
  const firstFrom = (key: number) => {
    let low = 0;
    let high = keys.indices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Number(keys.at(middle)) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { from: firstFrom(first), to: firstFrom(last + 1) };
}

/** Returns a function that makes a row object whose fields are read from columns. */
export function viewsOf<Row>(table: Table<Row>): (rows: Rows, row: number) => Row {
  class View {
    // Only declared: initializing the field would double the cost of a view.
    declare readonly rows: Rows;
    declare readonly position: number;
    constructor(rows: Rows, position: number) {
      this.rows = rows;
      this.position = position;
    }
  }
  for (const [at, { field }] of table.columns.entries()) {
    Object.defineProperty(View.prototype, field, {
      get(this: View): Cell {
        return this.rows.cells(at).at(this.position);
      },
    });
  }
  // Safe: `table()` has checked that the columns are the fields of a row.
  return (rows, row) => new View(rows, row) as unknown as Row;
}
