/**
 * Makes the releases in this directory, with two companies. From the root of the repository:
 *
 * npx esbuild test/store/layouts/make-layouts.ts --bundle --platform=node --define:import.meta.dirname='"test/figures"'
 * | node -
 *
 * `older-2.0` lacks columns and a table that this version of fin reads. `newer-2.7` has additional columns and tables,
 * and its columns are in another order. Both are only made again for a new major layout.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTable } from '../../../src/store/local-table.ts';
import { readManifest, type TableFile } from '../../../src/store/releases/manifest.ts';
import { integer, text } from '../../../src/store/schema/columns.ts';
import { requireKey, type Table } from '../../../src/store/schema/declare-table.ts';
import { FILING_TABLES } from '../../../src/store/schema/filings.ts';
import { CORE_TABLES } from '../../../src/store/schema/layout.ts';
import { TableSink } from '../../../src/store/table-writer.ts';
import { buildReleaseOfCompanies } from '../built-release.ts';
import { readSourceCompany } from '../public-source.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

interface TableWithRows {
  readonly table: Table;
  readonly rows: Rows;
}

type TableChanger = (table: Table, rows: Rows) => TableWithRows | null;

const OLDER_MISSING_COLUMNS = new Set(['fcf_yield_ttm', 'net_income_ttm', 'report_date']);

const toOlderTable: TableChanger = (table, rows) =>
  table.name === 'filing_documents'
    ? null
    : { table: { ...table, columns: table.columns.filter(({ name }) => !OLDER_MISSING_COLUMNS.has(name)) }, rows };

const toNewerTable: TableChanger = (table, rows) => {
  const columns = [...table.columns].reverse();
  if (table.name === 'screen') columns.unshift(text('cash_conversion?'));
  if (table.name === 'companies') columns.push(text('legal_entity'), integer('employees'));
  const addedCells = { cashConversion: '1.25', legalEntity: 'XX', employees: 9 };
  return { table: { ...table, columns }, rows: rows.map((row) => ({ ...row, ...addedCells })) };
};

function writeTable(directory: string, { table, rows }: TableWithRows): TableFile {
  const sink = new TableSink(directory, table);
  if (table.key === null) sink.add(0, rows);
  else {
    for (const key of new Set(rows.map((row) => requireKey(table, row)))) {
      const rowsOfKey = rows.filter((row) => requireKey(table, row) === key);
      sink.add(key, rowsOfKey);
    }
  }
  return sink.finish().file;
}

async function writeChangedRelease(
  sourceDirectory: string,
  targetDirectory: string,
  layout: string,
  changeTable: TableChanger,
  addedTables: readonly TableWithRows[],
): Promise<void> {
  rmSync(targetDirectory, { recursive: true, force: true });
  mkdirSync(targetDirectory, { recursive: true });
  const manifest = readManifest(sourceDirectory);
  const tables: Record<string, TableFile> = {};
  for (const table of [...CORE_TABLES, ...FILING_TABLES]) {
    const tableFile = manifest.tables[table.name];
    if (tableFile === undefined) continue;
    const reader = openTable(sourceDirectory, table, tableFile);
    const changedTable = changeTable(table, (await reader.readAll()) as Rows);
    reader.close();
    if (changedTable !== null) tables[table.name] = writeTable(targetDirectory, changedTable);
  }
  for (const addedTable of addedTables) tables[addedTable.table.name] = writeTable(targetDirectory, addedTable);
  writeFileSync(
    join(targetDirectory, 'manifest.json'),
    `${JSON.stringify({ ...manifest, layout, tables }, null, 2)}\n`,
  );
}

async function main(): Promise<void> {
  const { directory } = await buildReleaseOfCompanies([
    { ...readSourceCompany('nvda'), name: 'NVIDIA Corp' },
    readSourceCompany('aapl'),
  ]);
  const layoutsDirectory = 'test/store/layouts';
  await writeChangedRelease(directory, join(layoutsDirectory, 'older-2.0'), '2.0', toOlderTable, []);
  const notesTable = { name: 'analyst_notes', key: 'cik', columns: [integer('cik'), text('note')] };
  await writeChangedRelease(directory, join(layoutsDirectory, 'newer-2.7'), '2.7', toNewerTable, [
    { table: notesTable, rows: [{ cik: 320193, note: 'x' }] },
  ]);
}

void main();
