/** The typed table of past screens, queried with DuckDB and compared with the service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect, test } from 'vitest';
import type { ScreenRow } from '../../../src/contract/resources/screen.ts';
import { addDays } from '../../../src/platform/dates.ts';
import { readAnalytics } from '../../../src/publish/analytics/analytics-manifest.ts';
import { releaseSql } from '../../../src/publish/analytics/release-sql.ts';
import { writeAnalytics } from '../../../src/publish/analytics/write-analytics.ts';
import { openRelease, type ReleaseReader } from '../../../src/store/reader.ts';
import { HISTORY_COLUMNS, SCREEN_HISTORY } from '../../../src/store/schema/screen-history.ts';
import { body, serviceOf } from '../../service/ask.ts';
import { releaseOf } from '../../store/built-release.ts';
import { company, newFolder } from '../../store/public-source.ts';

let duckdb: DuckDBConnection;
let service: ReturnType<typeof serviceOf>;
let release: ReleaseReader;

beforeAll(async () => {
  const { stamp, directory } = await releaseOf([
    company('bkti-2011'),
    company('cop-2009'),
    company('de-2016'),
    company('nvda'),
    company('pg-2007'),
    { ...company('tsm'), ticker: '' },
  ]);
  release = openRelease(directory);
  service = serviceOf({ release: async () => release });
  const tables = join(await newFolder('analytics'), 'tables');
  await writeAnalytics({ release: directory, out: tables });
  const manifest = readAnalytics(tables);
  duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckdb.run(releaseSql(stamp, manifest?.tables ?? {}, tables));
});

async function ask(sql: string): Promise<Record<string, unknown>[]> {
  return (await duckdb.runAndReadAll(sql)).getRowObjectsJson();
}

/** Removes trailing zeros, because SQL prints all decimals of a type. */
const plain = (value: unknown) =>
  value === null || value === undefined
    ? null
    : String(value)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');

test('screen_as_of returns the rows of fin screen --as-of', async () => {
  let rows = 0;
  for (let day = '2010-02-01'; day < '2026-06-01'; day = addDays(day, 61)) {
    const { data }: { data: ScreenRow[] } = await body(`/v1/screen?as_of=${day}&limit=500&columns=${HISTORY_COLUMNS}`, {
      service,
    });
    const historyRows = await ask(`FROM screen_as_of(DATE '${day}') ORDER BY ticker`);
    expect(historyRows.map(({ ticker }) => ticker)).toEqual(data.map(({ ticker }) => ticker));
    for (const [at, row] of data.entries())
      for (const name of HISTORY_COLUMNS.filter((columnName) => columnName !== 'ttm_end_date'))
        expect(`${day} ${row.ticker} ${name} ${plain(historyRows[at]?.[name])}`).toBe(
          `${day} ${row.ticker} ${name} ${plain(row[name])}`,
        );
    rows += data.length;
  }
  expect(rows).toBeGreaterThan(60);
});

test('the monthly panel of the README has the figures of screens of those days', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../src/publish/analytics/README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Screens of past days'));
  const [, panel = ''] = /```sql\n([\s\S]*?)```/.exec(section) ?? [];
  const rows = await ask(panel);
  expect(rows.length).toBeGreaterThan(50);
  for (const { month, ticker, revenue_yoy: growth } of rows.filter((_, index) => index % 20 === 0)) {
    const target = `/v1/screen?as_of=${month}&limit=500&columns=revenue_yoy&where=revenue:gt:1000000000`;
    const { data }: { data: ScreenRow[] } = await body(target, { service });
    const row = data.find((one) => one.ticker === ticker);
    expect(`${month} ${ticker} ${plain(growth)}`).toBe(`${month} ${ticker} ${plain(row?.revenue_yoy)}`);
  }
});

test('the query of the README without the dead leaves out companies without a ticker today', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../src/publish/analytics/README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Screens of past days'));
  const [, survivors = ''] = [...section.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql);
  expect(survivors).toContain("DATE '2019-12-31'");
  const [counts, margins] = [[] as number[], [] as number[]];
  for (const day of ['2010-12-31', '2016-12-31', '2019-12-31', '2025-12-31']) {
    const { data }: { data: ScreenRow[] } = await body(`/v1/screen?as_of=${day}&limit=500&columns=net_margin`, {
      service,
    });
    const listed = data.filter(({ exchange, gone }) => exchange !== '' && gone !== true);
    const [survivorCounts] = await ask(survivors.replace('2019-12-31', day));
    expect(survivorCounts).toMatchObject({ companies: String(data.length), of_today: String(listed.length) });
    expect(Number(survivorCounts?.margin ?? Number.NaN).toFixed(8)).toBe(median(data).toFixed(8));
    expect(Number(survivorCounts?.margin_of_today ?? Number.NaN).toFixed(8)).toBe(median(listed).toFixed(8));
    margins.push(median(data));
    counts.push(data.length - listed.length);
  }
  // On one of the days only Taiwan Semiconductor is unlisted, because it has no ticker in these sources.
  expect(counts).toContain(1);
  expect(margins.filter((margin) => !Number.isNaN(margin)).length).toBeGreaterThan(1);
});

/** Returns the median of the net margins; NaN without one. */
function median(rows: readonly ScreenRow[]): number {
  const margins = rows
    .flatMap(({ net_margin: margin }) => (margin == null ? [] : [Number(margin)]))
    .sort((a, b) => a - b);
  const middle = (margins.length - 1) / 2;
  return ((margins[Math.floor(middle)] ?? Number.NaN) + (margins[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

test('rows that only repeat a complete one are left out', async () => {
  const groups = await release.groupsBetween(SCREEN_HISTORY, 0, 999912);
  const flags = (await release.columnsIn(SCREEN_HISTORY, groups, ['repeated'])).flatMap((one) => one.cells('repeated'));
  const repeatedCount = flags.filter((flag) => flag === true).length;
  expect(repeatedCount).toBeGreaterThan(2);
  const [typed] = await ask('SELECT count(*)::INTEGER AS rows FROM screen_history');
  expect(typed).toEqual({ rows: flags.length - repeatedCount });
});

test('each row of a company is valid until the next one', async () => {
  const [odd] = await ask(`SELECT count(*)::INTEGER AS rows FROM
    (SELECT valid_until, lead(valid_from) OVER (PARTITION BY cik ORDER BY valid_from) AS next FROM screen_history)
    WHERE valid_until IS DISTINCT FROM next`);
  expect(odd).toEqual({ rows: 0 });
  expect((await ask('FROM screen_history_companies')).length).toBe(6);
});
