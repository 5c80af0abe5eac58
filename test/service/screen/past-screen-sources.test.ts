/** Screens of past days from published releases, read by ranges, and from damaged releases. */
import { hash } from 'node:crypto';
import { closeSync, cpSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { addDays, addMonths } from '../../../src/platform/dates.ts';
import { describeRowGroups } from '../../../src/publish/describe-row-groups.ts';
import { PUBLISHED_FORMAT, type ReleasePointer } from '../../../src/publish/format.ts';
import { openPublishedRelease } from '../../../src/publish/published-release.ts';
import { type FileRange, ROW_GROUPS_FILE } from '../../../src/publish/release-index.ts';
import { openPastScreen } from '../../../src/service/handlers/screen/past-screen.ts';
import { openRelease } from '../../../src/store/reader.ts';
import { buildReleaseOfCompanies } from '../../store/built-release.ts';
import { makeFolder, readSourceCompany } from '../../store/public-source.ts';

const COLUMNS = ['ticker', 'revenue', 'revenue_yoy', 'net_income', 'fiscal_year', 'ttm_end_date'];
const DAYS = ['2010-12-31', '2012-06-29', '2015-01-31', '2017-12-29', '2021-03-31', '2025-12-31'];

let directory = '';

beforeAll(async () => {
  ({ directory } = await buildReleaseOfCompanies([
    readSourceCompany('aph'),
    readSourceCompany('cop-2009'),
    readSourceCompany('de-2016'),
    readSourceCompany('dis-2016'),
    readSourceCompany('nvda'),
  ]));
});

/**
 * Publishes the release; `changePage` may change the published hashes of chunks. Returns the local release, a function
 * that opens the published release, and the ranges that the published release requests.
 */
async function simulatePublication(changePage?: (page: Record<string, unknown>) => void) {
  const localRelease = openRelease(directory);
  const description = await describeRowGroups(directory, localRelease.manifest);
  const requestedRanges: FileRange[] = [];
  const readRanges = async (ranges: readonly FileRange[]) => {
    requestedRanges.push(...ranges);
    return ranges.map(({ path, offset, length, hash: expectedHash }) => {
      let bytes: Uint8Array = description.pages.subarray(offset, offset + length);
      if (path === ROW_GROUPS_FILE && changePage !== undefined) {
        const page = JSON.parse(gunzipSync(bytes).toString());
        changePage(page);
        return gzipSync(JSON.stringify(page));
      }
      if (path !== ROW_GROUPS_FILE) {
        bytes = Buffer.alloc(length);
        const fileDescriptor = openSync(join(directory, path), 'r');
        readSync(fileDescriptor, bytes, 0, length, offset);
        closeSync(fileDescriptor);
      }
      expect(hash('sha256', bytes).slice(0, 32)).toBe(expectedHash);
      return bytes;
    });
  };
  const { stamp, date, layout } = localRelease.manifest;
  const opening = JSON.parse(JSON.stringify(description.opening));
  const fileList = { format: PUBLISHED_FORMAT, stamp, files: [], companions: [], opening } as const;
  const pointer: ReleasePointer = {
    format: PUBLISHED_FORMAT,
    stamp,
    date,
    layout,
    files: { bytes: 0, sha256: '' },
  };
  return {
    local: localRelease,
    requestedRanges,
    open: () => openPublishedRelease(pointer, fileList, { address: 'https://host/releases', read: readRanges }),
  };
}

const sumLengths = (ranges: readonly FileRange[]) => ranges.reduce((sum, { length }) => sum + length, 0);

test('a past screen read by ranges equals the local screen, and reads only the requested columns, each once', async () => {
  const { local, requestedRanges, open } = await simulatePublication();
  const publishedRelease = open();
  let rowCount = 0;
  for (const day of DAYS) {
    const publishedScreen = await (await openPastScreen(publishedRelease, day)).screen(COLUMNS);
    expect(publishedScreen).toEqual(await (await openPastScreen(local, day)).screen(COLUMNS));
    rowCount += publishedScreen.length;
  }
  expect(rowCount).toBeGreaterThan(2);
  expect(new Set(requestedRanges.map(({ path }) => path))).toEqual(
    new Set([ROW_GROUPS_FILE, 'screen_history.parquet', 'screen_history_companies.parquet']),
  );
  expect(new Set(requestedRanges.map(({ path, offset }) => `${path} ${offset}`)).size).toBe(requestedRanges.length);
  const { size } = statSync(join(directory, 'screen_history.parquet'));
  expect(sumLengths(requestedRanges.filter(({ path }) => path === 'screen_history.parquet'))).toBeLessThan(size / 3);
});

/** Month ends of fourteen years, and days in between. */
const ASCENDING_DAYS = Array.from({ length: 168 }, (_, index) =>
  addDays(addMonths('2010-01-01', index + 1), -1),
).flatMap((day, index) => (index % 5 === 0 ? [addDays(day, -20), addDays(day, -3), day] : [day]));

test('screens of ascending days equal those of single days, and read each month once', async () => {
  const { requestedRanges, open } = await simulatePublication();
  const release = open();
  const columns = [...COLUMNS, 'eps_diluted', 'common_shares_outstanding', 'last_report', 'gone'];
  let rowCount = 0;
  for (const day of ASCENDING_DAYS) {
    // Another reader has no earlier day, so that it reads only this one.
    const alone = await (await openPastScreen(openRelease(directory), day)).screen(columns);
    expect(await (await openPastScreen(release, day)).screen(columns), day).toEqual(alone);
    rowCount += alone.length;
  }
  expect(rowCount).toBeGreaterThan(100);
  const counts = new Map<string, number>();
  for (const { path, offset } of requestedRanges)
    if (path === 'screen_history.parquet') counts.set(`${offset}`, (counts.get(`${offset}`) ?? 0) + 1);
  // The first day is asked alone, and the second begins to read on; days within a month read its rows again.
  const repeats = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
  expect(repeats).toBeLessThan(counts.size / 2);
});

test('days in any order, asked together, have the same screens', async () => {
  const release = openRelease(directory);
  const days = ['2012-03-31', '2012-04-30', '2012-02-29', '2012-04-30', '2012-06-30', '2012-05-31', '2012-07-31'];
  const screens = days.map(async (day) => (await openPastScreen(release, day)).screen(COLUMNS));
  for (const [index, day] of days.entries())
    expect(await screens[index]).toEqual(await (await openPastScreen(openRelease(directory), day)).screen(COLUMNS));
});

test('without hashes of columns, whole row groups are read, and the past screen is the same', async () => {
  const { local, requestedRanges, open } = await simulatePublication((page) => {
    expect(page).toHaveProperty('screen_history:chunks');
    delete page['screen_history:chunks'];
  });
  const [day = ''] = DAYS;
  const publishedScreen = await (await openPastScreen(open(), day)).screen(COLUMNS);
  expect(publishedScreen).toEqual(await (await openPastScreen(local, day)).screen(COLUMNS));
  expect(publishedScreen.length).toBeGreaterThan(0);
  const publicationWithChunkHashes = await simulatePublication();
  await (await openPastScreen(publicationWithChunkHashes.open(), day)).screen(COLUMNS);
  const countReadBytes = (ranges: readonly FileRange[]) =>
    sumLengths(ranges.filter(({ path }) => path === 'screen_history.parquet'));
  expect(countReadBytes(publicationWithChunkHashes.requestedRanges)).toBeLessThan(countReadBytes(requestedRanges) / 2);
});

test.each([
  ['for the wrong number of row groups', []],
  ['for the wrong number of columns', ['ab']],
  ['that are not hashes', 7],
])('hashes of columns %s are refused', async (_, chunks) => {
  const { open } = await simulatePublication((page) => {
    page['screen_history:chunks'] = chunks;
  });
  await expect(openPastScreen(open(), '2012-06-29')).rejects.toThrow(/does not describe this table/);
});

test('a flipped bit in a column of past screens is detected when the column is read', async () => {
  const copiedDirectory = join(await makeFolder('copy'), 'release');
  cpSync(directory, copiedDirectory, { recursive: true });
  const path = join(copiedDirectory, 'screen_history.parquet');
  const bytes = readFileSync(path);
  const rowsEnd = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const readScreensOfDays = async () => {
    const release = openRelease(copiedDirectory);
    try {
      for (const day of DAYS) await (await openPastScreen(release, day)).screen(['revenue']);
    } finally {
      await release.close();
    }
  };
  await readScreensOfDays();
  let detectedCount = 0;
  for (let offset = 4; offset < rowsEnd; offset += Math.floor(rowsEnd / 300)) {
    const damagedBytes = Buffer.from(bytes);
    damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ 0x10;
    writeFileSync(path, damagedBytes);
    // Damage in columns that are not read goes unnoticed.
    const failure = await readScreensOfDays().then(
      () => null,
      (error: Error) => error,
    );
    if (failure === null) continue;
    expect(failure.message).toMatch(/screen_history\.parquet.*checksum/);
    detectedCount += 1;
  }
  expect(detectedCount).toBeGreaterThan(5);
});
