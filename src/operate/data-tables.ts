/** Commands for the typed tables: write the tables, print DuckDB views of them, and describe their columns. */

import { join } from 'node:path';
import type { UtilityCommand } from '../commands/command-line/utility.ts';
import { findOptionText, JOBS_OPTION, readJobCount, STAMP_ARGUMENT } from '../commands/command-line/utility.ts';
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { quote } from '../contract/text/quote.ts';
import type { DescribedTable } from '../export/tables-page.ts';
import type { AnalyticsReport } from '../export/write-analytics.ts';
import { requireDirectory } from '../platform/files/directories.ts';
import type { Block } from '../result/blocks.ts';
import { alignRight, makeFieldsBlock, makeNoteBlock, makeRecordTable, makeTitleBlock } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';
import { findRelease } from '../store/releases/home.ts';

export const dataAnalyticsCommand: UtilityCommand = {
  local: true,
  help: [
    'Writes the tables of a release as Parquet files for analysis, with typed columns (DECIMAL(38,n), DATE, TIMESTAMP and',
    'BIGINT) and large row groups. The files go to the directory "analytics" of the release, with release.sql (DuckDB',
    'views) and tables.md (descriptions of the columns). A release stores values as text, and every written value is compared',
    'with that text. A value that does not fit its type is kept as text in a second column. The same release always gives the',
    'same files. The other commands answer from the release, not from these files.',
  ].join('\n'),
  args: [STAMP_ARGUMENT],
  options: [
    { name: 'out', value: 'dir', help: 'Write to this new directory instead of the directory of the release' },
    JOBS_OPTION,
  ],
  examples: {
    'data analytics': 'typed tables of the release in use, in its directory',
    'data analytics --out tables': 'typed tables in another directory; the built-in sample requires --out',
  },
  run: async (call) => {
    const { args, io } = call;
    const { directory, isSample } = findRelease(requireDirectory('data', io.env), args[0] ?? null);
    const out = findOptionText(call, 'out');
    if (isSample && out === null) {
      throw new Failure('usage', 'The built-in sample is part of the program and cannot be written to.', {
        hint: 'Give another directory with --out, or build your own release: fin data build --analytics',
      });
    }
    const { writeAnalytics } = await import('../export/write-analytics.ts');
    const report = await writeAnalytics({
      release: directory,
      out,
      jobs: readJobCount(call) ?? undefined,
      signal: io.signal,
      onProgress: (progress) => io.progress(formatTypedTableProgress(progress)),
    });
    return { json: report, rows: pickFields(['name', 'rows', 'bytes'], report.tables), view: makeView(report) };
  },
};

export const formatTypedTableProgress = (progress: { table: string; done: number; total: number }): string =>
  `Writing the typed table ${progress.table}: ${progress.done} of ${progress.total} rows`;

const OUTCOME_TEXTS: Readonly<Record<AnalyticsReport['publication'], string>> = {
  published: 'written',
  already_there: 'existed already',
  replaced: 'replaced earlier files',
};

function makeView({ stamp, directory, publication, tables }: AnalyticsReport): Block[] {
  return [
    makeTitleBlock(`Typed tables of ${stamp}`),
    makeFieldsBlock([
      ['Outcome', OUTCOME_TEXTS[publication]],
      ['Directory', directory],
    ]),
    makeRecordTable({ name: 'Table', rows: alignRight('Rows'), bytes: alignRight('Bytes') }, tables),
    makeNoteBlock(
      'To query the tables, run in this directory: duckdb -init release.sql. For descriptions of the columns: tables.md, or fin data tables <table>',
    ),
  ];
}

export const dataSqlCommand: UtilityCommand = {
  local: true,
  help: [
    'The script makes a view of each table, with comments, and adds views and macros for queries that are easy to get wrong:',
    "current_figures, figures_as_of(DATE '2024-06-30'), daily_prices and counted_trades.",
    'With --url the views read the tables where they are published; DuckDB then loads its extension httpfs.',
  ].join('\n'),
  args: [STAMP_ARGUMENT],
  options: [
    {
      name: 'url',
      value: 'url',
      help: 'Web address of the directory of the tables, instead of the directory on this machine',
    },
  ],
  examples: {
    'data sql > release.sql': 'a script for duckdb -init release.sql',
    'data sql --url https://example.com/releases/2026-08-18-e82836dbe344/analytics':
      'a script for tables published at an address',
  },
  run: async (call) => {
    const { args, io } = call;
    const address = checkAddress(findOptionText(call, 'url'));
    const { stamp, directory, isSample } = findRelease(requireDirectory('data', io.env), args[0] ?? null);
    const { ANALYTICS_FOLDER, readAnalyticsManifest, renderReleaseSql } = await import('../export/release-sql.ts');
    const tables = join(directory, ANALYTICS_FOLDER);
    const manifest = readAnalyticsManifest(tables);
    if (manifest === null) {
      throw new Failure('data', `Release ${stamp} has no intact typed tables.`, {
        hint: isSample
          ? 'Write the tables with "fin data analytics --out tables"; this also writes the SQL, to tables/release.sql.'
          : `Write the tables with "fin data analytics ${stamp}".`,
      });
    }
    io.print(renderReleaseSql(stamp, manifest.tables, address ?? tables));
    return undefined;
  },
};

/** Checks the address of tables, which may also be an object store's address in DuckDB's syntax, such as s3://. */
function checkAddress(text: string | null): string | null {
  if (text === null || (URL.canParse(text) && /^[a-z][a-z0-9]+:\/\/[^\s']+$/i.test(text))) return text;
  throw new Failure('usage', `--url ${quote(text)} is not an address. Write it as https://example.com/analytics.`);
}

export const dataTablesCommand: UtilityCommand = {
  local: true,
  help: 'In DECIMAL(38,n), n is the number of decimals that the values of the column need. It depends on the release: see tables.md in the directory of the written tables.',
  args: [{ name: 'table', help: 'Name of a table (default: all tables)', optional: true }],
  examples: {
    'data tables': 'all tables, with descriptions of their rows',
    'data tables figures': 'the columns of one table',
  },
  run: async ({ args: [tableName] }) => {
    const { describeTypedTables } = await import('../export/tables-page.ts');
    const tables = describeTypedTables();
    if (tableName === undefined) {
      const rows = tables.map(({ name, about, order }) => ({ table: name, about, order }));
      return { json: tables, rows: pickFields(['table', 'about', 'order'], rows), view: makeOverview(tables) };
    }
    const table = tables.find(({ name }) => name === tableName);
    if (table === undefined) {
      const names = tables.map(({ name }) => name);
      const text = `Unknown table ${quote(tableName)}.${didYouMean(tableName, names)}`;
      throw new Failure('usage', text, { hint: 'To list the tables: fin data tables' });
    }
    const rows = table.columns.map(({ name, type, about }) => ({ column: name, type, about }));
    return { json: table, rows: pickFields(['column', 'type', 'about'], rows), view: makeColumnsView(table) };
  },
};

const ABOUT_STYLE = { title: 'About', wrapped: true, shrinkTo: 30 } as const;

const makeOverview = (tables: readonly DescribedTable[]): Block[] => [
  makeRecordTable({ name: 'Table', about: ABOUT_STYLE }, tables),
  makeNoteBlock(
    'To describe the columns of a table: fin data tables <table>. To write the tables: fin data analytics.',
  ),
];

const makeColumnsView = ({ name, about, order, columns }: DescribedTable): Block[] => [
  makeTitleBlock(name),
  makeNoteBlock(`${about} Sorted by ${order}.`),
  makeRecordTable({ name: 'Column', type: 'Type', about: ABOUT_STYLE }, columns),
];
