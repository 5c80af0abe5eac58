/** Rows of a table made of its columns. */

import type { Cell, Table } from '../schema/table.ts';
import type { ColumnCells } from './parquet/column-chunk-reader.ts';

/** The cells of a column that are decoded when they are first asked for. */
export type LazyCells = () => ColumnCells;

const NONE: ColumnCells = { dictionary: [], indices: new Uint32Array() };

/** The rows at `positions`, as objects of their own; columns stand in the table's order. */
export function copyRows<Row>(table: Table<Row>, columns: readonly LazyCells[], positions: readonly number[]): Row[] {
  // Copies of one object with every field are cheaper than objects that grow field by field.
  const blank: Record<string, Cell> = Object.fromEntries(table.columns.map(({ field }) => [field, null]));
  const rows = positions.map(() => ({ ...blank }));
  for (const [index, { field }] of table.columns.entries()) {
    const cells = columns[index]?.();
    if (cells !== undefined) fill(rows, field, cells, positions);
  }
  return rows as unknown[] as Row[];
}

function fill(
  rows: readonly Record<string, Cell>[],
  field: string,
  cells: ColumnCells,
  positions: readonly number[],
): void {
  const { dictionary: values, indices: numbers } = cells;
  let at = 0;
  for (const row of rows) {
    row[field] = values[numbers[positions[at] ?? -1] ?? -1] ?? null;
    at += 1;
  }
}

/**
 * The same rows as views of the columns: thousands cost a twentieth, and columns that nobody asks for are never
 * decoded. A view is read field by field; it has no properties of its own that could be spread, compared or printed.
 */
export function viewRows<Row>(table: Table<Row>, columns: readonly LazyCells[], positions: readonly number[]): Row[] {
  class View {
    readonly at: number;
    constructor(at: number) {
      this.at = at;
    }
  }
  for (const [index, { field }] of table.columns.entries()) {
    let cells: ColumnCells | undefined;
    Object.defineProperty(View.prototype, field, {
      get(this: View): Cell {
        cells ??= columns[index]?.() ?? NONE;
        return cells.dictionary[cells.indices[this.at] ?? -1] ?? null;
      },
    });
  }
  return positions.map((at) => new View(at)) as unknown[] as Row[];
}
