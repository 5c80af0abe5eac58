/** Rows of a row group as objects whose fields are read from its columns, each of which is decoded when it is first read. */

import type { ColumnCells } from './parquet/column-chunk.ts';
import type { RowRange } from './parquet/runs.ts';
import type { Cell, Table } from './schema/table.ts';

/** Of a part that is larger than the row group divided by this, columns are decoded whole. */
const MIN_PARTS = 2;

/** Some rows of a row group that stand side by side: each column is decoded when it is first asked for. */
export interface Rows {
  /** The first of them. */
  readonly from: number;
  /** The column at this place among those of the table; its rows are counted from the first. */
  readonly cells: (at: number) => ColumnCells;
}

/** Decodes columns of a row group, by their places among those of the table. */
export interface Decoder {
  /** Of rows that stand side by side. */
  readonly cells: (at: number, range: RowRange) => ColumnCells;
  /** Of rows wherever they stand, in ascending order. */
  readonly cellsAt: (at: number, rows: readonly number[]) => ColumnCells;
}

/**
 * A row group in memory. One part of it is decoded by itself, as most questions are about few rows; as soon as another part
 * is asked for, columns are decoded whole, for all who come.
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

  /** At least these rows. */
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

  /** Rows wherever they stand, in ascending order, and their places in the columns that this returns. */
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

/** The rows of the keys from `first` to `last`, which stand side by side: rows are in order of key. */
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

/** Makes a row of a row group: an object whose fields are read from the columns. */
export function viewsOf<Row>(table: Table<Row>): (rows: Rows, row: number) => Row {
  class View {
    // Only declared: a field that is defined first costs as much as all else of a view.
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
  // `table()` saw to it that the columns are the fields of a row.
  return (rows, row) => new View(rows, row) as unknown as Row;
}
