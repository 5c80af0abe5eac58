/** Tests the directory of the typed tables: it is written once and completely, and its manifest describes it. */
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { INTERNAL_FIGURE_DEFINITIONS } from '../../src/contract/figures.ts';
import { findAnalyticsFaults, readAnalyticsManifest } from '../../src/export/analytics-manifest.ts';
import { writeAnalytics } from '../../src/export/write-analytics.ts';
import { type WrittenTable, writeTypedTables } from '../../src/export/write-typed-tables.ts';
import { assertDefined } from '../../src/platform/collections.ts';
import type { Table } from '../../src/store/schema/declare-table.ts';
import { FILINGS } from '../../src/store/schema/filings.ts';
import { PRICES, SECURITIES_WITH_PRICES } from '../../src/store/schema/prices.ts';
import { REPORTED_VALUES, SPLITS } from '../../src/store/schema/reported-values.ts';
import { TableSink } from '../../src/store/table-writer.ts';
import { NULL_VALUE_FIELDS } from '../figures/filed-facts.ts';
import { startFileServer } from '../file-server.ts';
import { bundleInto } from '../store/bundled.ts';
import { makeFolder } from '../store/public-source.ts';

/** A small release with two companies. */
const OLDER_RELEASE_DIRECTORY = resolve(import.meta.dirname, '../store/layouts/older-2.0');

function hashFiles(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, hash('sha256', readFileSync(join(directory, name)))]),
  );
}

test('the same release gives the same files: a second run keeps them, and writes all of them again if one is damaged', async () => {
  const folder = await makeFolder('typed');
  const tablesDirectory = join(folder, 'tables');
  const writeTables = () => writeAnalytics({ release: OLDER_RELEASE_DIRECTORY, out: tablesDirectory });
  expect(await writeTables()).toMatchObject({ publication: 'published', directory: tablesDirectory });
  const originalHashes = hashFiles(tablesDirectory);
  expect(await writeTables()).toMatchObject({ publication: 'already_there' });
  writeFileSync(join(tablesDirectory, 'figures.parquet'), 'PAR1');
  expect(await writeTables()).toMatchObject({ publication: 'replaced' });
  expect(hashFiles(tablesDirectory)).toEqual(originalHashes);
  // No temporary files remain, neither in the directory nor next to it.
  expect(readdirSync(folder)).toEqual(['tables']);
  const manifest = readAnalyticsManifest(tablesDirectory);
  expect(Object.fromEntries(manifest?.files.map(({ path, sha256 }) => [path, sha256]) ?? [])).toEqual(
    Object.fromEntries(Object.entries(originalHashes).filter(([name]) => name !== 'manifest.json')),
  );
});

test('of several processes that write the same tables, one publishes them and the others find them', async () => {
  const out = join(await makeFolder('typed'), 'tables');
  const reports = await Promise.all([1, 2, 3].map(() => writeAnalytics({ release: OLDER_RELEASE_DIRECTORY, out })));
  expect(reports.map(({ publication }) => publication).sort()).toEqual(['already_there', 'already_there', 'published']);
  expect(readdirSync(dirname(out))).toEqual(['tables']);
});

test('progress starts at 0 while a table is measured, and ends with its number of rows', async () => {
  const progressLines: string[] = [];
  const onProgress = ({ table, done, total }: { table: string; done: number; total: number }) =>
    progressLines.push(`${table} ${done} of ${total}`);
  await writeAnalytics({
    release: OLDER_RELEASE_DIRECTORY,
    out: join(await makeFolder('typed'), 'tables'),
    onProgress,
  });
  expect(progressLines.filter((line) => line.startsWith('filings'))).toEqual(['filings 0 of 17', 'filings 17 of 17']);
  expect(progressLines.indexOf('filings 0 of 17')).toBeLessThan(progressLines.indexOf('companies 2 of 2'));
});

test('two worker threads write the same bytes as the main thread', async () => {
  const home = await makeFolder('typed');
  await bundleInto(home, 'src/export/typing-worker.ts');
  const writeAndHash = async (name: string, options: object) => {
    await writeAnalytics({ release: OLDER_RELEASE_DIRECTORY, out: join(home, name), ...options });
    return hashFiles(join(home, name));
  };
  const workerScript = join(home, 'export-typing-worker.cjs');
  expect(await writeAndHash('two', { jobs: 2, workerScript })).toEqual(await writeAndHash('here', {}));
});

test('each damaged file of the typed tables is a fault, and missing typed tables are not', async () => {
  const home = await makeFolder('typed');
  const directory = join(home, 'analytics');
  expect(findAnalyticsFaults(home, 'x')).toEqual([]);
  await writeAnalytics({ release: OLDER_RELEASE_DIRECTORY, out: directory });
  const stamp = readAnalyticsManifest(directory)?.stamp ?? '';
  expect(findAnalyticsFaults(home, stamp)).toEqual([]);
  expect(findAnalyticsFaults(home, 'x')).toEqual([`analytics/manifest.json belongs to another release: ${stamp}.`]);
  const path = join(directory, 'figures.parquet');
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(99) ^ 1, 99);
  writeFileSync(path, bytes);
  rmSync(join(directory, 'release.sql'));
  expect(findAnalyticsFaults(home, stamp)).toEqual([
    'analytics/figures.parquet was changed after it was written (wrong SHA-256).',
    expect.stringMatching(/^analytics\/release\.sql cannot be read: /),
  ]);
  const manifest = { format: 4, stamp, tables: {}, files: [] };
  const wrongManifestFields = [{ files: [null] }, { files: [{ path: '../../x' }] }, { tables: null }, { stamp: [] }];
  for (const text of ['{', ...wrongManifestFields.map((fields) => JSON.stringify({ ...manifest, ...fields }))]) {
    writeFileSync(join(directory, 'manifest.json'), text);
    expect(findAnalyticsFaults(home, stamp)).toEqual(['analytics/manifest.json is missing or damaged.']);
  }
});

test('typed tables of another version are replaced', async () => {
  const tablesDirectory = join(await makeFolder('typed'), 'tables');
  await writeAnalytics({ release: OLDER_RELEASE_DIRECTORY, out: tablesDirectory });
  const originalHashes = hashFiles(tablesDirectory);
  const path = join(tablesDirectory, 'manifest.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), format: 1 }));
  expect(await writeAnalytics({ release: OLDER_RELEASE_DIRECTORY, out: tablesDirectory })).toMatchObject({
    publication: 'replaced',
  });
  expect(hashFiles(tablesDirectory)).toEqual(originalHashes);
});

test('a directory with other files in it is not changed', async () => {
  const outputDirectory = await makeFolder('typed');
  writeFileSync(join(outputDirectory, 'thesis.txt'), 'mine');
  await expect(writeAnalytics({ release: OLDER_RELEASE_DIRECTORY, out: outputDirectory })).rejects.toMatchObject({
    kind: 'usage',
  });
  expect(readdirSync(outputDirectory)).toEqual(['thesis.txt']);
});

test('a file in place of the directory is not changed, and an empty directory is used', async () => {
  const home = await makeFolder('typed');
  const foreignFile = join(home, 'thesis.txt');
  writeFileSync(foreignFile, 'mine');
  for (const out of [foreignFile, join(foreignFile, 'tables')])
    await expect(writeAnalytics({ release: OLDER_RELEASE_DIRECTORY, out })).rejects.toMatchObject({
      ...{ kind: 'usage', message: `${out} is not a directory.` },
    });
  expect(readFileSync(foreignFile, 'utf8')).toBe('mine');
  mkdirSync(join(home, 'empty'));
  expect(await writeAnalytics({ release: OLDER_RELEASE_DIRECTORY, out: join(home, 'empty') })).toMatchObject({
    publication: 'published',
  });
  expect(readdirSync(home).sort()).toEqual(['empty', 'thesis.txt']);
});

/** Writes rows as a table of a release. */
function writeReleaseTable<Row extends { readonly cik: number }>(
  release: string,
  table: Table<Row>,
  rows: readonly Row[],
) {
  const sink = new TableSink(release, table);
  for (const cik of new Set(rows.map((row) => row.cik)))
    sink.add(
      cik,
      rows.filter((row) => row.cik === cik),
    );
  return { [table.name]: sink.finish().file };
}

/** Writes rows as a table of a release, and the typed table made from them. */
async function writeTypedTable<Row extends { readonly cik: number }>(
  table: Table<Row>,
  name: string,
  rows: readonly Row[],
  writeOtherTables: (release: string) => Parameters<typeof writeTypedTables>[0]['tables'] = () => ({}),
) {
  const release = await makeFolder('typed');
  const directory = await makeFolder('typed');
  const source = { release, tables: { ...writeOtherTables(release), ...writeReleaseTable(release, table, rows) } };
  const tables = await writeTypedTables(source, { directory, stamp: 'a' });
  const writtenTable = tables[name] as WrittenTable;
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  const selectRows = async (columns: string) =>
    (await duckdb.runAndReadAll(`SELECT ${columns} FROM '${join(directory, writtenTable.file)}'`)).getRowsJson();
  return { written: writtenTable, ask: selectRows };
}

const makePriceRow = (cik: number, day: string, value: string) => ({
  ...{ cik, tickerNormalized: 'T', day, price: value, source: 'fails' as const },
  ...{ sample: 1, agreement: null, soldAt: null, attribution: null },
});

test('the effective date of a split is the day that prices prove, not the day that filings declare', async () => {
  // Tesla's 5:1 split of 31 August 2020, for which its filings state the day of the board's decision.
  const split = {
    ...{ ratio: '5', effective: '2020-08-11', accession: '0001564590-20-047486' },
    ...{ after: '2020-07-28', until: '2020-10-20', proven: null },
  };
  const writePrices = (release: string) => ({
    ...writeReleaseTable(release, SECURITIES_WITH_PRICES, [
      { cik: 1, tickerNormalized: 'T', isShare: true, countApplies: true, cusipChanges: null },
      { cik: 2, tickerNormalized: 'T', isShare: false, countApplies: false, cusipChanges: null },
    ]),
    ...writeReleaseTable(
      release,
      PRICES,
      [1, 2].flatMap((cik) => [makePriceRow(cik, '2020-08-28', '2213.40'), makePriceRow(cik, '2020-08-31', '498.32')]),
    ),
  });
  // Only the first company has prices of an ordinary share: the second has prices of another security, the third has
  // none.
  const splits = [1, 2, 3].map((cik) => ({ cik, ...split }));
  const readSplitDates = async (writeOtherTables?: typeof writePrices) =>
    (await writeTypedTable(SPLITS, 'splits', splits, writeOtherTables)).ask('effective_date, old_basis_until');
  expect(await readSplitDates(writePrices)).toEqual([
    ['2020-08-31', '2020-07-28'],
    [null, '2020-07-28'],
    [null, '2020-07-28'],
  ]);
  // In a release without prices, no split has an effective date.
  expect((await readSplitDates()).map(([day]) => day)).toEqual([null, null, null]);
});

test('a value that its type cannot represent is null, with its text in another column', async () => {
  const longDecimal = `1.${'7'.repeat(30)}`;
  const { written, ask } = await writeTypedTable(PRICES, 'prices', [
    makePriceRow(1, '2026-01-02', '1.50'),
    makePriceRow(1, '2026-02-30', '-0.125'),
    makePriceRow(2, '2026-01-05', longDecimal),
  ]);
  expect(written.columns.filter(({ name }) => /^(day|price)/.test(name)).map(({ name, type }) => [name, type])).toEqual(
    [
      ['day', 'DATE'],
      ['day_text', 'VARCHAR'],
      ['price', 'DECIMAL(38,3)'],
      ['price_text', 'VARCHAR'],
    ],
  );
  expect(await ask('day, day_text, price, price_text')).toEqual([
    ['2026-01-02', null, '1.500', null],
    [null, '2026-02-30', '-0.125', null],
    ['2026-01-05', null, null, longDecimal],
  ]);
});

/** Key of an internal amount. Internal amounts are not metrics, so no typed table contains them. */
const INTERNAL_KEY = assertDefined(INTERNAL_FIGURE_DEFINITIONS[0]).key;

test('a table without rows, or with only skipped rows, has its columns', async () => {
  const emptyTable = await writeTypedTable(PRICES, 'prices', []);
  expect(emptyTable.written).toMatchObject({ rows: 0, rowGroups: 0 });
  expect(await emptyTable.ask('count(*), typeof(any_value(day)), typeof(any_value(price))')).toEqual([
    ['0', 'DATE', 'DECIMAL(38,0)'],
  ]);
  const internalTable = await writeTypedTable(REPORTED_VALUES, 'figures', [
    {
      ...{ cik: 1, metricKey: INTERNAL_KEY, unit: 'USD', periodKind: 'annual', start: '2024-01-01', end: '2024-12-31' },
      ...{ fiscalYear: 2024, fiscalPeriod: 'FY', rank: 1, kind: 'first', value: '1', splitRatio: null },
      ...{ taxonomy: 'us-gaap', concept: 'X', rawValue: '1', accession: 'a', form: '10-K', filed: '2025-02-01' },
      ...NULL_VALUE_FIELDS,
    },
  ]);
  expect(internalTable.written).toMatchObject({ rows: 0, rowGroups: 0 });
});

test('filings are sorted by filing date, and within a date stay in the order of the release', async () => {
  const makeFilingRow = (cik: number, filed: string, accession: string) => ({
    ...{ cik, accession, form: '8-K', filed, acceptedAt: null, timing: null, items: '' },
    ...{ primaryDocument: null, reportDate: null, fiscalYear: null, fiscalPeriod: null, periodEnd: null },
  });
  const { ask } = await writeTypedTable(FILINGS, 'filings', [
    makeFilingRow(1, '2026-01-05', 'c'),
    makeFilingRow(1, '2026-01-02', 'a'),
    makeFilingRow(2, '2026-01-05', 'b'),
    makeFilingRow(2, '2025-12-31', 'd'),
  ]);
  expect(await ask('filed_at, accession_number')).toEqual([
    ['2025-12-31', 'd'],
    ['2026-01-02', 'a'],
    ['2026-01-05', 'c'],
    ['2026-01-05', 'b'],
  ]);
});

test('a reader fetches only the footer and the columns it needs from a web server with ranges', async () => {
  const tablesDirectory = join(await makeFolder('typed'), 'tables');
  await writeAnalytics({ release: OLDER_RELEASE_DIRECTORY, out: tablesDirectory });
  const server = await startFileServer(tablesDirectory);
  const file = await asyncBufferFromUrl({ url: `${server.url}/figures.parquet` });
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: 32 * 1024 });
  const rows = await parquetReadObjects({ file, metadata, columns: ['metric_key', 'stands_from'] });
  expect(rows).toHaveLength(Number(metadata.num_rows));
  expect(rows[0]).toMatchObject({ metric_key: expect.any(String), stands_from: expect.any(Date) });
  const getRequests = server.requests.filter(({ method }) => method === 'GET');
  expect(getRequests.every(({ range, status }) => range !== null && status === 206)).toBe(true);
  expect(getRequests.length).toBeLessThan(8);
});
