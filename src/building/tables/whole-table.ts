import { DEFAULT_GROUP_ROWS, type EncodedRowGroup, encodeRowGroup } from '../../store/parquet/write/row-group.ts';
import { requireKey, type Table, toColumns } from '../../store/schema/table.ts';

/** All rows of a table, encoded as row groups. */
export interface WholeTable {
  readonly table: Table;
  readonly groups: readonly EncodedRowGroup[];
  readonly rowCount: number;
}

/**
 * Encodes a complete table. A table with a key has small row groups, so that the rows of a key are read fast; other
 * tables have one row group, because they are read completely.
 */
export function encodeWholeTable<Row>(table: Table<Row>, rows: readonly Row[]): WholeTable {
  const keys = table.key === null ? null : rows.map((row) => requireKey(table, row));
  const size = keys === null ? Math.max(rows.length, 1) : (table.groupRows ?? DEFAULT_GROUP_ROWS);
  const groups: EncodedRowGroup[] = [];
  for (let startRow = 0; startRow < rows.length; ) {
    let endRow = Math.min(startRow + size, rows.length);
    while (keys !== null && endRow < rows.length && keys[endRow] === keys[endRow - 1]) endRow += 1;
    const columns = toColumns(table, rows.slice(startRow, endRow));
    groups.push(encodeRowGroup(table, columns, keys === null ? [] : keys.slice(startRow, endRow)));
    startRow = endRow;
  }
  return { table: table as Table, groups, rowCount: rows.length };
}
