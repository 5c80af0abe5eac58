/**
 * Reads every cell of a release with the code that answers requests, because a table file may match the manifest and
 * still be invalid.
 */
import { isFailure } from '../contract/failure.ts';
import { isAccessRefusal } from '../platform/files/system-error.ts';
import { openTable } from './local-table.ts';
import { listStoredColumns, type Manifest, type TableFile } from './releases/manifest.ts';
import type { CellType, Column } from './schema/columns.ts';
import type { Table } from './schema/declare-table.ts';
import { ALL_TABLES } from './schema/layout.ts';

const CELL_TYPES: readonly string[] = ['text', 'integer', 'boolean'] satisfies CellType[];

/**
 * Returns the faults, one sentence per table; empty if all tables are readable. Throws a data Failure if the system
 * does not let this process read a file.
 * @param onProgress called before each table, with the number of tables read so far and of all; may throw to stop
 */
export async function findContentFaults(
  directory: string,
  manifest: Manifest,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<string[]> {
  const faults: string[] = [];
  const tables = Object.entries(manifest.tables);
  for (const [index, [name, file]] of tables.entries()) {
    onProgress(index, tables.length);
    try {
      const table = ALL_TABLES.find((item) => item.name === name) ?? makeTableFromManifest(name, file);
      await requireReadableTable(directory, table, file);
    } catch (error) {
      if (!isFailure(error) || isAccessRefusal(error.cause)) throw error;
      faults.push(error.message);
    }
  }
  return faults;
}

/** Returns a definition for a table that this version of fin does not know, from the columns in the manifest. */
function makeTableFromManifest(name: string, tableFile: TableFile): Table {
  const columns = listStoredColumns(tableFile).filter(({ type }) => CELL_TYPES.includes(type));
  return { name, key: null, columns: columns.map((column) => ({ ...column, field: column.name }) as Column) };
}

async function requireReadableTable(directory: string, table: Table, file: TableFile): Promise<void> {
  const reader = openTable(directory, table, file);
  try {
    let rowCount = 0;
    for await (const group of reader.scan()) {
      for (const { name } of table.columns) void group.cells(name).dictionary;
      rowCount += group.rows;
    }
    if (rowCount !== file.rows) throw reader.damagedTableFailure(`it has ${rowCount} rows instead of ${file.rows}`);
  } finally {
    reader.close();
  }
}
