import { type EncodedRowGroup, encodeRowGroup, ROW_GROUP_ROWS } from '../../store/parquet/write/row-group.ts';
import { keyOf, type Table, toColumns } from '../../store/schema/table.ts';

/** A table whose rows are all made before it is written. */
export interface WholeTable {
  readonly table: Table;
  readonly groups: readonly EncodedRowGroup[];
  readonly rows: number;
}

/**
 * Encodes a table with a key in small row groups, so that the rows of one key are read fast; other tables in one row
 * group, because they are read whole.
 */
export function wholeTable<Row>(table: Table<Row>, rows: readonly Row[]): WholeTable {
  const keys = table.key === null ? null : rows.map((row) => keyOf(table, row));
  const size = keys === null ? Math.max(rows.length, 1) : (table.groupRows ?? ROW_GROUP_ROWS);
  const groups: EncodedRowGroup[] = [];
  for (let from = 0; from < rows.length; ) {
    let to = Math.min(from + size, rows.length);
    while (keys !== null && to < rows.length && keys[to] === keys[to - 1]) to += 1;
    const part = toColumns(table, rows.slice(from, to));
    groups.push(encodeRowGroup(table, part, keys === null ? [] : keys.slice(from, to)));
    from = to;
  }
  return { table: table as Table, groups, rows: rows.length };
}
