import { hash } from 'node:crypto';
import { openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { describeRowGroups } from '../../src/publish/describe-row-groups.ts';
import { PUBLISHED_FORMAT } from '../../src/publish/format.ts';
import { openPublishedRelease } from '../../src/publish/published-release.ts';
import { type FileRange, ROW_GROUPS_FILE } from '../../src/publish/release-index.ts';
import { openRelease, type ReleaseReader } from '../../src/store/reader.ts';
import { findSampleHome, readCurrentStamp } from '../../src/store/releases/home.ts';
import { SECURITIES } from '../../src/store/schema/companies.ts';
import type { Table } from '../../src/store/schema/declare-table.ts';
import { FILINGS } from '../../src/store/schema/filings.ts';
import { REPORTED_VALUES } from '../../src/store/schema/reported-values.ts';
import { SCREEN_HISTORY } from '../../src/store/schema/screen.ts';

const home = findSampleHome() ?? '';
const directory = join(home, readCurrentStamp(home) ?? '');
const localRelease = openRelease(directory);
const { stamp, date, layout } = localRelease.manifest;
const fileListIdentity = { bytes: 0, sha256: '' };

let description: Awaited<ReturnType<typeof describeRowGroups>>;
let opening: Record<string, unknown>;
beforeAll(async () => {
  description = await describeRowGroups(directory, localRelease.manifest);
  opening = JSON.parse(JSON.stringify(description.opening));
});

/**
 * Returns a function that reads ranges of the sample's files and of the generated pages, and checks the hash of each
 * range.
 */
function makeRangeReader(requestedRanges: FileRange[]) {
  return async (ranges: readonly FileRange[]) => {
    requestedRanges.push(...ranges);
    return ranges.map(({ path, offset, length, hash: expectedHash }) => {
      let bytes: Uint8Array = description.pages.subarray(offset, offset + length);
      if (path !== ROW_GROUPS_FILE) {
        bytes = Buffer.alloc(length);
        readSync(openSync(join(directory, path), 'r'), bytes, 0, length, offset);
      }
      expect(hash('sha256', bytes).slice(0, 32)).toBe(expectedHash);
      return bytes;
    });
  };
}

function openPublishedSample(requestedRanges: FileRange[] = [], changedOpening: Record<string, unknown> = opening) {
  const fileList = {
    format: PUBLISHED_FORMAT,
    stamp,
    files: [],
    companions: [],
    opening: changedOpening,
  } as const;
  const source = { address: 'https://host/releases', read: makeRangeReader(requestedRanges) };
  return openPublishedRelease(
    { format: PUBLISHED_FORMAT, stamp, date, layout, files: fileListIdentity },
    fileList,
    source,
  );
}

const listCells = <Row>({ columns }: Table<Row>, rows: readonly Row[]) =>
  rows.map((row) => columns.map(({ field }) => Reflect.get(row as object, field)));

test('a release read by ranges returns the rows of the local release, by company, by key range, and by column', async () => {
  const publishedRelease = openPublishedSample();
  for (const cik of [320193, 789019, 1, 2_000_000_000]) {
    expect(listCells(REPORTED_VALUES, await publishedRelease.reportedValues(cik))).toEqual(
      listCells(REPORTED_VALUES, await localRelease.reportedValues(cik)),
    );
  }
  const keyRange = [100_000, 350_000] as const;
  const filings = listCells(FILINGS, await publishedRelease.rowsBetween(FILINGS, ...keyRange));
  expect(filings.length).toBeGreaterThan(10_000);
  expect(filings).toEqual(listCells(FILINGS, await localRelease.rowsBetween(FILINGS, ...keyRange)));
  expect(listCells(SECURITIES, await publishedRelease.securities())).toEqual(
    listCells(SECURITIES, await localRelease.securities()),
  );
  const columns = ['ticker', 'revenue', 'net_margin'];
  expect(await publishedRelease.screen(columns)).toEqual(await localRelease.screen(columns));
  expect(await publishedRelease.screen(columns, [3, 1])).toEqual(await localRelease.screen(columns, [3, 1]));
  expect(await publishedRelease.coverage()).toEqual(await localRelease.coverage());
});

test('equal column chunks of past screens are read once, and have the cells of the local release', async () => {
  const requestedRanges: FileRange[] = [];
  const publishedRelease = openPublishedSample(requestedRanges);
  const columnNames = SCREEN_HISTORY.columns.map(({ name }) => name);
  const readCellsBetween = async (reader: ReleaseReader, firstMonth: number, lastMonth: number) => {
    const columns = await reader.columnsIn(
      SCREEN_HISTORY,
      await reader.groupsBetween(SCREEN_HISTORY, firstMonth, lastMonth),
      columnNames,
    );
    return columns.map((group) => columnNames.map((name) => group.cells(name)));
  };
  let chunkCount = 0;
  for (const [firstMonth, lastMonth] of [
    [200901, 200912],
    [201806, 201906],
  ] as const) {
    expect(await readCellsBetween(publishedRelease, firstMonth, lastMonth)).toEqual(
      await readCellsBetween(localRelease, firstMonth, lastMonth),
    );
    chunkCount += (await localRelease.groupsBetween(SCREEN_HISTORY, firstMonth, lastMonth)).length * columnNames.length;
  }
  const requestedChunkHashes = requestedRanges
    .filter(({ path }) => path !== ROW_GROUPS_FILE)
    .map(({ hash: digits }) => digits);
  expect(new Set(requestedChunkHashes).size).toBe(requestedChunkHashes.length);
  // Some chunks of 2009 are equal, because growth over three and five years is empty in that year.
  expect(requestedChunkHashes.length).toBeGreaterThan(chunkCount / 2);
  expect(requestedChunkHashes.length).toBeLessThan(chunkCount);
});

test('reading one company of a large table requests one index page and one row group', async () => {
  const requestedRanges: FileRange[] = [];
  await openPublishedSample(requestedRanges).reportedValues(320193);
  expect(requestedRanges.map(({ path }) => path)).toEqual([ROW_GROUPS_FILE, 'reported_values.parquet']);
  expect(requestedRanges.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(120_000);
});

test('describing a release twice gives the same release index, of less than 40 KB', async () => {
  const secondDescription = await describeRowGroups(directory, localRelease.manifest);
  expect(secondDescription.pages.equals(description.pages)).toBe(true);
  expect(JSON.stringify(secondDescription.opening)).toBe(JSON.stringify(description.opening));
  expect(JSON.stringify(secondDescription.opening).length).toBeLessThan(40_000);
});

test.each([
  ['without an index', undefined, /without the index that is required/],
  ['without tables', { tables: null }, /an invalid index/],
  ['without a table that every release has', { tables: {} }, /the table companies is missing/],
  ['with a table name that is a path', { '../up': {} }, /an invalid index of the table "\.\.\/up"/],
  ['with row groups of other columns', { extra: { rows: 1, columns: {}, groups: [[1, 1, 1, 4, 'ab', 7]] } }, /"extra"/],
])('a release %s is refused', (_, change, message) => {
  const tables = opening.tables as object;
  const changedOpening =
    change === undefined
      ? undefined
      : 'tables' in change
        ? { ...opening, ...change }
        : { ...opening, tables: { ...tables, ...change } };
  const publishedFileList = {
    format: PUBLISHED_FORMAT,
    stamp,
    files: [],
    companions: [],
    ...(changedOpening ? { opening: changedOpening } : {}),
  } as const;
  const source = { address: 'https://host/releases', read: makeRangeReader([]) };
  expect(() =>
    openPublishedRelease(
      { format: PUBLISHED_FORMAT, stamp, date, layout, files: fileListIdentity },
      publishedFileList,
      source,
    ),
  ).toThrow(message);
});

test('a release of another major layout is refused', () => {
  const emptyFileList = { format: PUBLISHED_FORMAT, stamp, files: [], companions: [], opening } as const;
  const source = { address: 'https://host/releases', read: makeRangeReader([]) };
  const pointer = { format: PUBLISHED_FORMAT, stamp, date, layout: '3.0', files: fileListIdentity } as const;
  expect(() => openPublishedRelease(pointer, emptyFileList, source)).toThrow(/has layout "3.0"/);
});

test('pages that unpack to far more than a table needs are refused, however often the index lists them', async () => {
  const page = gzipSync(`{"screen":[],"other":[${'[],'.repeat(20_000)}[]]}`);
  const pageHash = hash('sha256', page).slice(0, 32);
  const tables = opening.tables as Record<string, Record<string, unknown>>;
  const { groups: _, ...screen } = tables.screen ?? {};
  const pages = Array.from({ length: 1000 }, (_, index) => [index, 0, page.length, pageHash]);
  const fileList = {
    format: PUBLISHED_FORMAT,
    ...{ stamp, files: [], companions: [] },
    opening: { ...opening, tables: { ...tables, screen: { ...screen, pages } } },
  } as const;
  let readRangeCount = 0;
  const source = {
    address: 'https://host/releases',
    read: async (ranges: readonly FileRange[]) => {
      readRangeCount += ranges.length;
      return ranges.map(() => page);
    },
  };
  const pointer = { format: PUBLISHED_FORMAT, stamp, date, layout, files: fileListIdentity } as const;
  await expect(openPublishedRelease(pointer, fileList, source).screen(['ticker'])).rejects.toMatchObject({
    kind: 'data',
    message: expect.stringContaining('its entries in row-groups.bin have more than'),
  });
  expect(readRangeCount).toBeLessThan(700);
});

test('a stated number of rows that the row groups do not confirm is refused before anything is allocated for it', async () => {
  const tables = opening.tables as Record<string, Record<string, unknown>>;
  for (const rowCount of [1e12, 4e9, 96]) {
    const release = openPublishedSample([], {
      ...opening,
      tables: { ...tables, screen: { ...tables.screen, rows: rowCount } },
    });
    await expect(release.screen([])).rejects.toMatchObject({
      kind: 'data',
      message: expect.stringContaining(`of ${rowCount}.`),
    });
  }
});
