import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { compareText } from '../../src/contract/compare-text.ts';
import { writeAnalytics } from '../../src/export/write-analytics.ts';
import { parseFileList, parsePieces, parsePointer } from '../../src/publish/format.ts';
import { listPieces } from '../../src/publish/pieces.ts';
import { describePublicKey, findSignatureFault } from '../../src/publish/signing.ts';
import { readManifest, serializeManifest } from '../../src/store/releases/manifest.ts';
import {
  makeDirectory,
  makeNextRelease,
  makeRelease,
  makeReleaseWithTicker,
  publish,
  readContents,
} from './releases.ts';

const releaseDirectory = await makeRelease();
const stamp = basename(releaseDirectory);
/** A release with two companies. */
const SMALL_RELEASE = join(import.meta.dirname, '../store/layouts/older-2.0');

/** Returns the modification times of all files, which copying tools compare. */
const listTimes = (root: string) =>
  [root, ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name))].map((path) => [
    path,
    statSync(path).mtimeMs,
  ]);

test('a published release has every file of the local release, and the pointer has its stamp', async () => {
  const root = join(makeDirectory(), 'made', 'here');
  expect(await publish(releaseDirectory, root)).toMatchObject({
    stamp,
    state: 'published',
    signedWith: null,
    before: null,
  });
  expect(readdirSync(root).sort()).toEqual([stamp, 'latest.json', 'releases.json']);
  const pointer = parsePointer(readFileSync(join(root, 'latest.json'), 'utf8'));
  const fileList = parseFileList(readFileSync(join(root, stamp, 'files.json'), 'utf8'), pointer.stamp);
  const sourceContents = readContents(releaseDirectory);
  expect(fileList.files.map(({ path }) => path)).toEqual([...sourceContents.keys()]);
  const publishedContents = readContents(join(root, stamp));
  for (const [path, content] of sourceContents) expect(publishedContents.get(path), path).toBe(content);
});

test('pieces are the row groups of tables and the bytes between them', async () => {
  const root = makeDirectory();
  await publish(releaseDirectory, root);
  const fileList = parseFileList(readFileSync(join(root, stamp, 'files.json'), 'utf8'), stamp);
  const { files: pieces } = parsePieces(readFileSync(join(root, stamp, 'pieces.json'), 'utf8'), fileList);
  const valuesFile = fileList.files.find(({ path }) => path === 'reported_values.parquet');
  if (valuesFile === undefined) throw new Error('the sample has no table of reported values');
  const index = readFileSync(join(releaseDirectory, 'reported_values.index'));
  const valuesPieces = listPieces(valuesFile, pieces.get(valuesFile.path));
  expect(valuesPieces.length).toBe(index.readUInt32LE(12) + 2);
  expect(valuesPieces[0]).toMatchObject({ offset: 0, length: 4 });
  expect([...pieces.keys()].every((path) => path.endsWith('.parquet'))).toBe(true);
});

test('publishing again changes no byte and keeps the signature', async () => {
  const root = makeDirectory();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await publish(releaseDirectory, root, { signKey: privateKey });
  const [contents, times] = [readContents(root), listTimes(join(root, stamp))];
  const pointerTime = statSync(join(root, 'latest.json')).mtimeMs;
  expect(await publish(releaseDirectory, root)).toMatchObject({
    state: 'unchanged',
    signedWith: describePublicKey(publicKey).id,
  });
  expect(await publish(releaseDirectory, root, { signKey: privateKey })).toMatchObject({ state: 'unchanged' });
  expect([readContents(root), listTimes(join(root, stamp))]).toEqual([contents, times]);
  expect(statSync(join(root, 'latest.json')).mtimeMs).toBe(pointerTime);
  expect(findSignatureFault(parsePointer(readFileSync(join(root, 'latest.json'), 'utf8')), publicKey)).toBeNull();
});

test('an earlier release that is published again without a key keeps its signature', async () => {
  const root = makeDirectory();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await publish(releaseDirectory, root, { signKey: privateKey });
  await publish(await makeNextRelease(releaseDirectory), root, { signKey: privateKey });
  expect(await publish(releaseDirectory, root)).toMatchObject({ signedWith: describePublicKey(publicKey).id });
  expect(findSignatureFault(parsePointer(readFileSync(join(root, 'latest.json'), 'utf8')), publicKey)).toBeNull();
});

test.each([
  ['ascending', (a: string, b: string) => compareText(a, b)],
  ['descending', (a: string, b: string) => compareText(b, a)],
])('with "keep", of releases of one date the one published first is removed, with %s hashes', async (_, compare) => {
  const root = makeDirectory();
  const releases = [
    releaseDirectory,
    await makeReleaseWithTicker('AAA', releaseDirectory),
    await makeReleaseWithTicker('BBB', releaseDirectory),
  ];
  const orderedReleases = releases.sort((a, b) => compare(basename(a), basename(b)));
  for (const [hour, release] of orderedReleases.entries()) {
    setPublicationTime(release, `2026-08-19T0${hour}:00:00.000Z`);
    await publish(release, root);
  }
  const [first = '', second = '', third = ''] = orderedReleases;
  expect(await publish(third, root, { keep: 2 })).toMatchObject({ pruned: [basename(first)] });
  expect(JSON.parse(readFileSync(join(root, 'releases.json'), 'utf8')).releases).toMatchObject([
    { stamp: basename(third) },
    { stamp: basename(second) },
  ]);
});

/** Sets the publication time. Writes a new manifest file, because published manifests are hard links to the old one. */
function setPublicationTime(release: string, publishedAt: string): void {
  const manifest = serializeManifest({ ...readManifest(release), publishedAt });
  rmSync(join(release, 'manifest.json'));
  writeFileSync(join(release, 'manifest.json'), manifest);
}

test('with "keep", older releases are removed from the directory and from the list of releases', async () => {
  const root = makeDirectory();
  const nextRelease = await makeNextRelease(releaseDirectory);
  await publish(releaseDirectory, root);
  expect(await publish(nextRelease, root, { keep: 2 })).toMatchObject({ before: { stamp }, pruned: [] });
  expect(JSON.parse(readFileSync(join(root, 'releases.json'), 'utf8')).releases).toHaveLength(2);
  expect(await publish(nextRelease, root, { keep: 1 })).toMatchObject({ pruned: [stamp] });
  expect(readdirSync(root).sort()).toEqual([basename(nextRelease), 'latest.json', 'releases.json']);
  const { releases } = JSON.parse(readFileSync(join(root, 'releases.json'), 'utf8'));
  expect(releases).toEqual([JSON.parse(readFileSync(join(root, 'latest.json'), 'utf8'))]);
});

test('a release that was not published here is not pruned', async () => {
  const root = makeDirectory();
  mkdirSync(join(root, '2025-01-01-0123456789ab'));
  expect(await publish(releaseDirectory, root, { keep: 1 })).toMatchObject({ pruned: [] });
  expect(existsSync(join(root, '2025-01-01-0123456789ab'))).toBe(true);
});

test('a published release that lacks a file is replaced, and the directory of a process on another machine is kept', async () => {
  const root = makeDirectory();
  await publish(releaseDirectory, root);
  rmSync(join(root, stamp, 'screen.parquet'));
  mkdirSync(join(root, '.building-00000000.1.1-left'));
  expect(await publish(releaseDirectory, root)).toMatchObject({ state: 'replaced_damaged' });
  expect(existsSync(join(root, stamp, 'screen.parquet'))).toBe(true);
  // Keeps the directory of another machine's process, because that process may still be running.
  expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual(['.building-00000000.1.1-left']);
});

test('a published file that is a copy, not a link, is compared with the release by its bytes', async () => {
  const root = makeDirectory();
  await publish(releaseDirectory, root);
  const tablePath = join(root, stamp, 'screen.parquet');
  const bytes = readFileSync(tablePath);
  rmSync(tablePath);
  writeFileSync(tablePath, bytes);
  expect(await publish(releaseDirectory, root)).toMatchObject({ state: 'unchanged' });
  bytes[9] = (bytes[9] ?? 0) ^ 1;
  writeFileSync(tablePath, bytes);
  expect(await publish(releaseDirectory, root)).toMatchObject({ state: 'replaced_damaged' });
});

test('a release that failed its checks is published only if the caller allows it', async () => {
  const failedRelease = join(makeDirectory(), stamp);
  cpSync(releaseDirectory, failedRelease, { recursive: true });
  const { checksum: _, ...manifest } = readManifest(releaseDirectory);
  writeFileSync(join(failedRelease, 'manifest.json'), serializeManifest({ ...manifest, checks: 'failed' }));
  const root = makeDirectory();
  await expect(publish(failedRelease, root)).rejects.toThrow('failed its checks');
  expect(await publish(failedRelease, root, { publishFailed: true })).toMatchObject({ state: 'published' });
});

test('a release with damaged typed tables is not published', async () => {
  // A small release, because writing the typed tables of a large one takes seconds.
  const release = join(makeDirectory(), readManifest(SMALL_RELEASE).stamp);
  cpSync(SMALL_RELEASE, release, { recursive: true });
  await writeAnalytics({ release });
  writeFileSync(join(release, 'analytics', 'figures.parquet'), 'PAR1');
  const root = makeDirectory();
  await expect(publish(release, root)).rejects.toMatchObject({
    kind: 'data',
    message: expect.stringContaining('analytics/figures.parquet has 4 bytes'),
  });
  expect(readdirSync(root)).toEqual([]);
});

test('a damaged release is not published', async () => {
  const damagedRelease = join(makeDirectory(), stamp);
  cpSync(releaseDirectory, damagedRelease, { recursive: true });
  const file = join(damagedRelease, 'screen.parquet');
  const bytes = readFileSync(file);
  bytes[9] = (bytes[9] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  const root = makeDirectory();
  await expect(publish(damagedRelease, root)).rejects.toThrow('screen.parquet was changed after it was written');
  rmSync(file);
  await expect(publish(damagedRelease, root)).rejects.toThrow('screen.parquet is missing');
  expect(readdirSync(root)).toEqual([]);
});
