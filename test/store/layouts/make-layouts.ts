/**
 * Makes the releases in this directory, with two companies. From the root of the repository:
 *
 * npx esbuild test/store/layouts/make-layouts.ts --bundle --platform=node --define:import.meta.dirname='"test/figures"'
 * | node -
 *
 * `older` lacks columns and a table that this version of fin reads; `newer` has additional columns and tables in
 * another order. Both represent releases of other versions of fin, and are only made again for a new major layout.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTable } from '../../../src/store/local-table.ts';
import { readManifest, type TableFile } from '../../../src/store/manifest.ts';
import { FILING_TABLES } from '../../../src/store/schema/filings.ts';
import { CORE_TABLES } from '../../../src/store/schema/layout.ts';
import { integer, keyOf, type Table, text, textOrNull } from '../../../src/store/schema/table.ts';
import { TableSink } from '../../../src/store/table-writer.ts';
import { releaseOf } from '../built-release.ts';
import { company } from '../public-source.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

interface Changed {
  readonly table: Table;
  readonly rows: Rows;
}

type Change = (table: Table, rows: Rows) => Changed | null;

const LACKING = new Set(['fcf_yield_ttm', 'net_income_ttm', 'report_date']);

const older: Change = (table, rows) =>
  table.name === 'filing_documents'
    ? null
    : { table: { ...table, columns: table.columns.filter(({ name }) => !LACKING.has(name)) }, rows };

const newer: Change = (table, rows) => {
  const columns = [...table.columns].reverse();
  if (table.name === 'screen') columns.unshift(textOrNull('cash_conversion', 'cashConversion'));
  if (table.name === 'companies') columns.push(text('legal_entity', 'legalEntity'), integer('employees', 'employees'));
  const more = { cashConversion: '1.25', legalEntity: 'XX', employees: 9 };
  return { table: { ...table, columns }, rows: rows.map((row) => ({ ...row, ...more })) };
};

function write(directory: string, { table, rows }: Changed): TableFile {
  const sink = new TableSink(directory, table);
  if (table.key === null) sink.add(0, rows);
  else {
    for (const key of new Set(rows.map((row) => keyOf(table, row)))) {
      const rowsOfKey = rows.filter((row) => keyOf(table, row) === key);
      sink.add(key, rowsOfKey);
    }
  }
  return sink.finish().file;
}

async function remake(
  from: string,
  to: string,
  layout: string,
  change: Change,
  more: readonly Changed[],
): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const manifest = readManifest(from);
  const tables: Record<string, TableFile> = {};
  for (const table of [...CORE_TABLES, ...FILING_TABLES]) {
    const entry = manifest.tables[table.name];
    if (entry === undefined) continue;
    const reader = openTable(from, table, entry);
    const changedRows = change(table, (await reader.readAll()) as Rows);
    reader.close();
    if (changedRows !== null) tables[table.name] = write(to, changedRows);
  }
  for (const changedTable of more) tables[changedTable.table.name] = write(to, changedTable);
  writeFileSync(join(to, 'manifest.json'), `${JSON.stringify({ ...manifest, layout, tables }, null, 2)}\n`);
}

async function main(): Promise<void> {
  const { directory } = await releaseOf([{ ...company('nvda'), name: 'NVIDIA Corp' }, company('aapl')]);
  const layouts = 'test/store/layouts';
  await remake(directory, join(layouts, 'older-2.0'), '2.0', older, []);
  const notes = { name: 'analyst_notes', key: 'cik', columns: [integer('cik', 'cik'), text('note', 'note')] };
  await remake(directory, join(layouts, 'newer-2.7'), '2.7', newer, [
    { table: notes, rows: [{ cik: 320193, note: 'x' }] },
  ]);
}

void main();
