import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildRelease } from '../../src/building/build.ts';
import { openRelease } from '../../src/store/reader.ts';
import {
  currentStamp,
  findRelease,
  listStamps,
  locateRelease,
  releasesHome,
  sampleHome,
  useRelease,
} from '../../src/store/releases/home.ts';
import { company, newFolder, writeSource } from './public-source.ts';

const APPLE = company('aapl');
const TARGET = company('tgt');

let older = '';
let newer = '';

beforeAll(async () => {
  older = await writeSource([TARGET]);
  newer = await writeSource([APPLE]);
});

async function twoReleases() {
  const data = await newFolder('data');
  const home = releasesHome(data);
  const one = await buildRelease({ sourceDirectory: older, home, workerScript: null });
  const two = await buildRelease({ sourceDirectory: newer, home, workerScript: null });
  return { data, home, one: one.stamp, two: two.stamp };
}

test('the last built release is current until another is chosen', async () => {
  const { data, home, one, two } = await twoReleases();
  expect(listStamps(home)).toEqual([one, two].sort().reverse());
  expect(currentStamp(home)).toBe(two);
  expect(await useRelease(home, one)).toBe(one);
  expect(locateRelease(data)).toEqual({ stamp: one, directory: join(home, one), isSample: false });
  expect(readFileSync(join(home, 'current'), 'utf8')).toBe(`${one}\n`);
});

test('a unique prefix of a stamp is accepted; unknown and ambiguous prefixes and paths are refused', async () => {
  const { home, one, two } = await twoReleases();
  expect(await useRelease(home, one.slice(0, 14))).toBe(one);
  await expect(useRelease(home, '20')).rejects.toMatchObject({
    kind: 'data',
    message: expect.stringContaining('2 releases'),
  });
  for (const invalidStamp of ['', '../releases', '2019-01-01-000000000000', `${two}/.`]) {
    await expect(useRelease(home, invalidStamp)).rejects.toMatchObject({
      kind: 'data',
      message: expect.stringContaining('There is no release'),
    });
  }
  expect(currentStamp(home)).toBe(one);
});

test('the sample cannot be chosen, and the error says when it is used', async () => {
  const { home } = await twoReleases();
  const sample = currentStamp(sampleHome() ?? '') ?? '';
  const message = expect.stringContaining(
    'The built-in sample cannot be chosen: it is used only while there is no release in',
  );
  await expect(useRelease(home, sample)).rejects.toMatchObject({ kind: 'data', message });
});

test('an unreadable release cannot be chosen', async () => {
  const { home, one, two } = await twoReleases();
  writeFileSync(join(home, one, 'manifest.json'), '{');
  await expect(useRelease(home, one)).rejects.toMatchObject({ kind: 'data' });
  expect(currentStamp(home)).toBe(two);
});

test('without a pointer the newest release is current, and a pointer to a missing release is an error', async () => {
  const { home, one, two } = await twoReleases();
  rmSync(join(home, 'current'));
  expect(currentStamp(home)).toBe([one, two].sort().at(-1));
  for (const invalidStamp of ['2019-01-01-000000000000', '../../etc', '']) {
    writeFileSync(join(home, 'current'), invalidStamp);
    expect(() => currentStamp(home)).toThrow(
      expect.objectContaining({ kind: 'data', hint: expect.stringContaining('fin data use') }),
    );
  }
});

test('directories whose names are not stamps are ignored', async () => {
  const home = await newFolder('home');
  for (const name of ['.building-1-2-3', '2026-01-01', 'latest', '2026-01-01-00000000000g'])
    mkdirSync(join(home, name));
  expect(listStamps(home)).toEqual([]);
  expect(currentStamp(home)).toBeNull();
  expect(currentStamp(join(home, 'nowhere'))).toBeNull();
});

test('the sample is current if there is no other release, and is undamaged', async () => {
  const located = locateRelease(await newFolder('data'));
  expect(located.isSample).toBe(true);
  const release = openRelease(located.directory);
  expect(release.manifest).toMatchObject({ checks: 'passed', stamp: located.stamp, about: expect.any(String) });
  expect((await release.screen(['ticker'])).length).toBeGreaterThan(80);
  await release.close();
  expect(sampleHome()).not.toBeNull();
  const nowhere = await newFolder('data');
  expect(() => locateRelease(nowhere, false)).toThrow(
    expect.objectContaining({ kind: 'data', hint: expect.stringContaining('fin data build') }),
  );
});

test('a local release equal to the sample is found by its complete stamp', async () => {
  const data = await newFolder('data');
  const sample = sampleHome() ?? '';
  const stamp = currentStamp(sample) ?? '';
  expect(findRelease(data, stamp)).toEqual({ stamp, directory: join(sample, stamp), isSample: true });
  const directory = join(releasesHome(data), stamp);
  mkdirSync(directory, { recursive: true });
  expect(findRelease(data, stamp)).toEqual({ stamp, directory, isSample: false });
  expect(findRelease(data, stamp.slice(0, 14))).toEqual({ stamp, directory, isSample: false });
});
