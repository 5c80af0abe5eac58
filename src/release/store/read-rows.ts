/** Rows of a table made of its columns. */
import type { Cell, Column, Table } from '../schema/table.ts';
import { type ColumnCells, cellAt } from './parquet/column-chunk.ts';

/** The cells of a column of one row group. */
export type CellsOf = (column: Column) => ColumnCells;

/** The rows at `positions`, as objects of their own. */
export function copyRows<Row>(table: Table<Row>, cellsOf: CellsOf, positions: readonly number[]): Row[] {
  // Copies of one object with every field are cheaper than objects that grow field by field.
  const blank: Record<string, Cell> = Object.fromEntries(table.columns.map(({ field }) => [field, null]));
  const rows = positions.map((position) => ({ position, row: { ...blank } }));
  for (const column of table.columns) {
    const cells = cellsOf(column);
    for (const { position, row } of rows) row[column.field] = cellAt(cells, position);
  }
  // `table()` saw to it that the columns are the fields of a row.
  return rows.map(({ row }) => row) as unknown[] as Row[];
}

/**
 * The same rows as views of the columns: thousands cost a twentieth, and columns that nobody reads are never
 * decoded. A view is read field by field; it has no properties of its own that could be spread, compared or printed.
 */
export function viewRows<Row>(table: Table<Row>, cellsOf: CellsOf, positions: readonly number[]): Row[] {
  class View {
    readonly position: number;
    constructor(position: number) {
      this.position = position;
    }
  }
  for (const column of table.columns) {
    let cells: ColumnCells | undefined;
    Object.defineProperty(View.prototype, column.field, {
      get(this: View): Cell {
        cells ??= cellsOf(column);
        return cellAt(cells, this.position);
      },
    });
  }
  return positions.map((position) => new View(position)) as unknown[] as Row[];
}
