import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildRelease } from '../../src/building/build.ts';
import { compareText } from '../../src/contract/compare-text.ts';
import { openRelease } from '../../src/store/reader.ts';
import {
  findRelease,
  findSampleHome,
  getReleasesHome,
  listStamps,
  locateRelease,
  makeReleaseCurrent,
  readCurrentStamp,
} from '../../src/store/releases/home.ts';
import { formatStamp, hashTables, readManifest, serializeManifest } from '../../src/store/releases/manifest.ts';
import { makeFolder, readSourceCompany, writeSource } from './public-source.ts';

const APPLE = readSourceCompany('aapl');
const TARGET_CORPORATION = readSourceCompany('tgt');

let firstSource = '';
let secondSource = '';

beforeAll(async () => {
  firstSource = await writeSource([TARGET_CORPORATION]);
  secondSource = await writeSource([APPLE]);
});

async function buildTwoReleases() {
  const dataDirectory = await makeFolder('data');
  const home = getReleasesHome(dataDirectory);
  const firstBuild = await buildRelease({ sourceDirectory: firstSource, home, workerScript: null });
  const secondBuild = await buildRelease({ sourceDirectory: secondSource, home, workerScript: null });
  return { dataDirectory, home, firstStamp: firstBuild.stamp, secondStamp: secondBuild.stamp };
}

test('the last built release is current until another is chosen', async () => {
  const { dataDirectory, home, firstStamp, secondStamp } = await buildTwoReleases();
  expect(listStamps(home)).toEqual([firstStamp, secondStamp].sort().reverse());
  expect(readCurrentStamp(home)).toBe(secondStamp);
  expect(await makeReleaseCurrent(home, firstStamp)).toBe(firstStamp);
  expect(locateRelease(dataDirectory)).toEqual({
    stamp: firstStamp,
    directory: join(home, firstStamp),
    isSample: false,
  });
  expect(readFileSync(join(home, 'current'), 'utf8')).toBe(`${firstStamp}\n`);
});

test('releases of one date are listed in the order of their publication, newest first, whatever their hashes', async () => {
  const home = await makeFolder('releases');
  const manifest = readManifest(locateRelease(await makeFolder('data')).directory);
  const unsortedManifests = ['facts', 'segments', 'screen_history'].map((omittedTable) => {
    const tables = Object.fromEntries(Object.entries(manifest.tables).filter(([name]) => name !== omittedTable));
    const contentHashes = Object.entries(tables).map(([name, { content = '' }]) => [name, content] as const);
    return { ...manifest, tables, stamp: formatStamp(manifest.date, hashTables(contentHashes, manifest.layout)) };
  });
  const manifests = unsortedManifests.sort((a, b) => compareText(a.stamp, b.stamp));
  for (const [index, { stamp, ...fields }] of manifests.entries()) {
    const publishedAt = `2026-08-19T0${9 - index}:00:00.000Z`;
    mkdirSync(join(home, stamp), { recursive: true });
    writeFileSync(join(home, stamp, 'manifest.json'), serializeManifest({ ...fields, stamp, publishedAt }));
  }
  expect(listStamps(home)).toEqual(manifests.map(({ stamp }) => stamp));
  // A release of another fin is not newer than one that this fin can read.
  const foreignStamp = '2026-08-18-ffffffffffff';
  mkdirSync(join(home, foreignStamp));
  writeFileSync(
    join(home, foreignStamp, 'manifest.json'),
    '{"layout":"99.0","publishedAt":"2099-01-01T00:00:00.000Z"}',
  );
  expect(listStamps(home).at(-1)).toBe(foreignStamp);
});

test('a unique prefix of a stamp selects its release; ambiguous or unknown prefixes and paths are refused', async () => {
  const { home, firstStamp, secondStamp } = await buildTwoReleases();
  expect(await makeReleaseCurrent(home, firstStamp.slice(0, 14))).toBe(firstStamp);
  await expect(makeReleaseCurrent(home, '20')).rejects.toMatchObject({
    kind: 'data',
    message: expect.stringContaining('2 releases'),
  });
  for (const invalidStamp of ['', '../releases', '2019-01-01-000000000000', `${secondStamp}/.`]) {
    await expect(makeReleaseCurrent(home, invalidStamp)).rejects.toMatchObject({
      kind: 'data',
      message: expect.stringContaining('There is no release'),
    });
  }
  expect(readCurrentStamp(home)).toBe(firstStamp);
});

test('the sample cannot be chosen, and the error says when the sample is used', async () => {
  const { home } = await buildTwoReleases();
  const sampleStamp = readCurrentStamp(findSampleHome() ?? '') ?? '';
  const message = expect.stringContaining(
    'The built-in sample cannot be chosen: it is used only while there is no release in',
  );
  await expect(makeReleaseCurrent(home, sampleStamp)).rejects.toMatchObject({ kind: 'data', message });
});

test('an unreadable release cannot be chosen', async () => {
  const { home, firstStamp, secondStamp } = await buildTwoReleases();
  writeFileSync(join(home, firstStamp, 'manifest.json'), '{');
  await expect(makeReleaseCurrent(home, firstStamp)).rejects.toMatchObject({ kind: 'data' });
  expect(readCurrentStamp(home)).toBe(secondStamp);
});

test('without the file "current" the newest release is current, and the stamp of a missing release in it is an error', async () => {
  const { home, firstStamp, secondStamp } = await buildTwoReleases();
  rmSync(join(home, 'current'));
  expect(readCurrentStamp(home)).toBe([firstStamp, secondStamp].sort().at(-1));
  for (const invalidStamp of ['2019-01-01-000000000000', '../../etc', '']) {
    writeFileSync(join(home, 'current'), invalidStamp);
    expect(() => readCurrentStamp(home)).toThrow(
      expect.objectContaining({ kind: 'data', hint: expect.stringContaining('fin data use') }),
    );
  }
});

test('directories whose names are not stamps are ignored', async () => {
  const home = await makeFolder('home');
  for (const name of ['.building-1-2-3', '2026-01-01', 'latest', '2026-01-01-00000000000g'])
    mkdirSync(join(home, name));
  expect(listStamps(home)).toEqual([]);
  expect(readCurrentStamp(home)).toBeNull();
  expect(readCurrentStamp(join(home, 'nowhere'))).toBeNull();
});

test('the sample is used if there is no other release, and is undamaged', async () => {
  const locatedRelease = locateRelease(await makeFolder('data'));
  expect(locatedRelease.isSample).toBe(true);
  const release = openRelease(locatedRelease.directory);
  expect(release.manifest).toMatchObject({ checks: 'passed', stamp: locatedRelease.stamp, about: expect.any(String) });
  expect((await release.screen(['ticker'])).length).toBeGreaterThan(50);
  await release.close();
  expect(findSampleHome()).not.toBeNull();
  const emptyDirectory = await makeFolder('data');
  expect(() => locateRelease(emptyDirectory, false)).toThrow(
    expect.objectContaining({ kind: 'data', hint: expect.stringContaining('fin data build') }),
  );
});

test('a local release with the stamp of the sample is found instead of the sample', async () => {
  const dataDirectory = await makeFolder('data');
  const sampleHome = findSampleHome() ?? '';
  const stamp = readCurrentStamp(sampleHome) ?? '';
  expect(findRelease(dataDirectory, stamp)).toEqual({ stamp, directory: join(sampleHome, stamp), isSample: true });
  const directory = join(getReleasesHome(dataDirectory), stamp);
  mkdirSync(directory, { recursive: true });
  expect(findRelease(dataDirectory, stamp)).toEqual({ stamp, directory, isSample: false });
  expect(findRelease(dataDirectory, stamp.slice(0, 14))).toEqual({ stamp, directory, isSample: false });
});
