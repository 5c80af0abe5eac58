/** Queries the typed table of past screens with DuckDB, and compares the rows with the service's responses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect, test } from 'vitest';
import type { ScreenRow } from '../../src/contract/screen-row.ts';
import { readAnalyticsManifest } from '../../src/export/analytics-manifest.ts';
import { renderReleaseSql } from '../../src/export/release-sql.ts';
import { writeAnalytics } from '../../src/export/write-analytics.ts';
import { addDays } from '../../src/platform/dates.ts';
import { openRelease, type ReleaseReader } from '../../src/store/reader.ts';
import { HISTORY_COLUMNS, SCREEN_HISTORY } from '../../src/store/schema/screen.ts';
import { askBody, makeService } from '../service/ask.ts';
import { buildReleaseOfCompanies } from '../store/built-release.ts';
import { makeFolder, readSourceCompany } from '../store/public-source.ts';

let duckdb: DuckDBConnection;
let service: ReturnType<typeof makeService>;
let release: ReleaseReader;

beforeAll(async () => {
  const { stamp, directory } = await buildReleaseOfCompanies([
    readSourceCompany('bkti-2011'),
    readSourceCompany('cop-2009'),
    readSourceCompany('de-2016'),
    readSourceCompany('nvda'),
    readSourceCompany('pg-2007'),
    { ...readSourceCompany('tsm'), ticker: '' },
  ]);
  release = openRelease(directory);
  service = makeService({ release: async () => release });
  const tableDirectory = join(await makeFolder('analytics'), 'tables');
  await writeAnalytics({ release: directory, out: tableDirectory });
  const manifest = readAnalyticsManifest(tableDirectory);
  duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckdb.run(renderReleaseSql(stamp, manifest?.tables ?? {}, tableDirectory));
});

async function queryRows(sql: string): Promise<Record<string, unknown>[]> {
  return (await duckdb.runAndReadAll(sql)).getRowObjectsJson();
}

/** Removes trailing zeros, because SQL prints all decimals of a type. */
const trimZeros = (value: unknown) =>
  value === null || value === undefined
    ? null
    : String(value)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');

test('screen_as_of returns the rows of fin screen --as-of', async () => {
  let rowCount = 0;
  for (let day = '2010-02-01'; day < '2026-06-01'; day = addDays(day, 61)) {
    const { data }: { data: ScreenRow[] } = await askBody(
      `/v1/screen?as_of=${day}&limit=500&columns=${HISTORY_COLUMNS}`,
      {
        service,
      },
    );
    const historyRows = await queryRows(`FROM screen_as_of(DATE '${day}') ORDER BY ticker`);
    expect(historyRows.map(({ ticker }) => ticker)).toEqual(data.map(({ ticker }) => ticker));
    for (const [index, row] of data.entries())
      for (const name of HISTORY_COLUMNS)
        expect(`${day} ${row.ticker} ${name} ${trimZeros(historyRows[index]?.[name])}`).toBe(
          `${day} ${row.ticker} ${name} ${trimZeros(row[name])}`,
        );
    rowCount += data.length;
  }
  expect(rowCount).toBeGreaterThan(60);
});

test("the README's query for a monthly panel returns the same figures as the service's screens of those days", async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../src/export/README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Screens of past days'));
  const [, panelSql = ''] = /```sql\n([\s\S]*?)```/.exec(section) ?? [];
  const rows = await queryRows(panelSql);
  expect(rows.length).toBeGreaterThan(50);
  for (const { month, ticker, revenue_yoy: growth } of rows.filter((_, index) => index % 20 === 0)) {
    const screenPath = `/v1/screen?as_of=${month}&limit=500&columns=revenue_yoy&where=revenue:gt:1000000000`;
    const { data }: { data: ScreenRow[] } = await askBody(screenPath, { service });
    const row = data.find((candidate) => candidate.ticker === ticker);
    expect(`${month} ${ticker} ${trimZeros(growth)}`).toBe(`${month} ${ticker} ${trimZeros(row?.revenue_yoy)}`);
  }
});

test("the README's survivorship query counts the companies of a day, and those of them that have a ticker today", async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../src/export/README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Screens of past days'));
  const [, survivorshipSql = ''] = [...section.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql);
  expect(survivorshipSql).toContain("DATE '2019-12-31'");
  const [unlistedCounts, medians] = [[] as number[], [] as number[]];
  for (const day of ['2010-12-31', '2016-12-31', '2019-12-31', '2025-12-31']) {
    const { data }: { data: ScreenRow[] } = await askBody(`/v1/screen?as_of=${day}&limit=500&columns=net_margin`, {
      service,
    });
    const listedRows = data.filter(({ exchange, gone }) => exchange !== '' && gone !== true);
    const [sqlRow] = await queryRows(survivorshipSql.replace('2019-12-31', day));
    expect(sqlRow).toMatchObject({ companies: String(data.length), of_today: String(listedRows.length) });
    expect(Number(sqlRow?.margin ?? Number.NaN).toFixed(8)).toBe(computeMedianMargin(data).toFixed(8));
    expect(Number(sqlRow?.margin_of_today ?? Number.NaN).toFixed(8)).toBe(computeMedianMargin(listedRows).toFixed(8));
    medians.push(computeMedianMargin(data));
    unlistedCounts.push(data.length - listedRows.length);
  }
  // On one of the days only Taiwan Semiconductor is unlisted, because it has no ticker in these sources.
  expect(unlistedCounts).toContain(1);
  expect(medians.filter((margin) => !Number.isNaN(margin)).length).toBeGreaterThan(1);
});

/** Returns the median of the net margins; NaN if no row has a net margin. */
function computeMedianMargin(rows: readonly ScreenRow[]): number {
  const margins = rows
    .flatMap(({ net_margin: margin }) => (margin == null ? [] : [Number(margin)]))
    .sort((a, b) => a - b);
  const middle = (margins.length - 1) / 2;
  return ((margins[Math.floor(middle)] ?? Number.NaN) + (margins[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

test('screen_history omits rows that only repeat the previous state', async () => {
  const groups = await release.groupsBetween(SCREEN_HISTORY, 0, 999912);
  const repeatedFlags = (await release.columnsIn(SCREEN_HISTORY, groups, ['repeated'])).flatMap((columns) =>
    columns.cells('repeated'),
  );
  const repeatedCount = repeatedFlags.filter((flag) => flag === true).length;
  expect(repeatedCount).toBeGreaterThan(2);
  const [typedCount] = await queryRows('SELECT count(*)::INTEGER AS rows FROM screen_history');
  expect(typedCount).toEqual({ rows: repeatedFlags.length - repeatedCount });
});

test('each row of screen_history is valid until the next row of its company', async () => {
  const [mismatches] = await queryRows(`SELECT count(*)::INTEGER AS rows FROM
    (SELECT valid_until, lead(valid_from) OVER (PARTITION BY cik ORDER BY valid_from) AS next FROM screen_history)
    WHERE valid_until IS DISTINCT FROM next`);
  expect(mismatches).toEqual({ rows: 0 });
  expect((await queryRows('FROM screen_history_companies')).length).toBe(6);
});
