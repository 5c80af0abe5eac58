import { openTable } from '../../store/local-table.ts';
import type { TableFile } from '../../store/releases/manifest.ts';
import type { Table } from '../../store/schema/declare-table.ts';
import type { Task } from '../tasks/task.ts';

export interface ReadBackTask extends Task<{ readonly rows: number }> {
  readonly kind: 'read back';
  /** Directory of the table's files. */
  readonly path: string;
  readonly table: Table;
  readonly file: TableFile;
}

/**
 * Reads the first column of every row group, to detect an unreadable file before publication. Returns the number of
 * rows.
 */
export async function countRows({ path, table, file }: ReadBackTask) {
  const [column] = table.columns;
  if (column === undefined) throw new Error(`the table ${table.name} has no columns`);
  const reader = openTable(path, table, file);
  let count = 0;
  try {
    // Reads one row group at a time, because a full release has tens of millions of rows.
    for await (const { indices } of reader.scanColumn(column.name)) count += indices.length;
    return { rows: count };
  } finally {
    reader.close();
  }
}
