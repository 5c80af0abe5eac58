import { hash } from 'node:crypto';
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { buildRelease } from '../../src/building/build.ts';
import { openRelease } from '../../src/store/reader.ts';
import { type Manifest, readManifest, serializeManifest } from '../../src/store/releases/manifest.ts';
import { verifyRelease } from '../../src/store/releases/verify.ts';
import { findContentFaults } from '../../src/store/verify-contents.ts';
import { forgeHeader } from './forge-header.ts';
import { makeFolder, readSourceCompany, writeSource } from './public-source.ts';

const APPLE = readSourceCompany('aapl');

let undamagedDirectory = '';

beforeAll(async () => {
  const home = await makeFolder('home');
  const { directory } = await buildRelease({ sourceDirectory: await writeSource([APPLE]), home, workerScript: null });
  undamagedDirectory = directory ?? '';
});

/** Copies the release to a directory where it can be damaged. */
async function copyRelease(): Promise<string> {
  const directory = join(await makeFolder('copy'), 'release');
  cpSync(undamagedDirectory, directory, { recursive: true });
  return directory;
}

async function readAll(directory: string): Promise<void> {
  const release = openRelease(directory);
  try {
    for (const { cik } of await release.companies()) void cik;
    await release.securities();
    await release.reportedValues(APPLE.cik);
    await release.rawConcepts(APPLE.cik);
    await release.splits(APPLE.cik);
    await release.screen(['ticker', 'revenue']);
    await release.coverage();
  } finally {
    await release.close();
  }
}

const matchDataFailure = (messagePattern: RegExp) => ({
  name: 'Failure',
  kind: 'data',
  message: expect.stringMatching(messagePattern),
  hint: expect.stringContaining('fin data'),
});

test('an undamaged release is read and verified', async () => {
  await expect(readAll(undamagedDirectory)).resolves.toBeUndefined();
  expect(verifyRelease(undamagedDirectory, readManifest(undamagedDirectory))).toEqual([]);
});

test('a flipped bit anywhere in the rows of a table is detected on reading', async () => {
  const path = 'reported_values.parquet';
  const bytes = readFileSync(join(undamagedDirectory, path));
  const release = openRelease(undamagedDirectory);
  const undamagedValues = await release.reportedValues(APPLE.cik);
  await release.close();
  // Rows end where the footer begins. The length of the footer precedes the last four bytes.
  const rowsEnd = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const directory = await copyRelease();
  const step = Math.max(1, Math.floor(rowsEnd / 97));
  let damageCount = 0;
  for (let offset = 4; offset < rowsEnd; offset += step) {
    const damagedBytes = Buffer.from(bytes);
    damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ 0x10;
    writeFileSync(join(directory, path), damagedBytes);
    await expect(readAll(directory)).rejects.toMatchObject(matchDataFailure(/reported_values\.parquet.*checksum/));
    expect(verifyRelease(directory, readManifest(directory))).toEqual([expect.stringContaining('SHA-256')]);
    damageCount += 1;
  }
  expect(damageCount).toBeGreaterThan(90);
  expect(undamagedValues.length).toBeGreaterThan(0);
});

test('a page header with wrong sizes is detected by reading and by --verify, even if all hashes are correct', async () => {
  const directory = await copyRelease();
  forgeHeader(directory, 'companies');
  expect(verifyRelease(directory, readManifest(directory))).toEqual([]);
  const faultPattern =
    /companies\.parquet cannot be read: a page header cannot be read: a metadata field is longer than the bytes that remain/;
  await expect(readAll(directory)).rejects.toMatchObject(matchDataFailure(faultPattern));
  expect(await findContentFaults(directory, readManifest(directory))).toEqual([expect.stringMatching(faultPattern)]);
  expect(await findContentFaults(undamagedDirectory, readManifest(undamagedDirectory))).toEqual([]);
});

test('a manifest with a wrong number of rows, or a description that is not text, is damaged even if its hashes are correct', async () => {
  const directory = await copyRelease();
  const manifest = readManifest(directory);
  const { screen } = manifest.tables;
  const wrongFields = [
    { about: true },
    ...[-1, 1e308].map((rows) => ({ tables: { ...manifest.tables, screen: { ...screen, rows } } })),
  ];
  for (const fields of wrongFields) {
    writeFileSync(join(directory, 'manifest.json'), serializeManifest({ ...manifest, ...fields } as typeof manifest));
    expect(() => readManifest(directory)).toThrow(
      /its description is not text|its entry for the table "screen" is invalid/,
    );
  }
});

test('the error for a truncated table, a missing table or a damaged index names the file, with a hint', async () => {
  const releaseWithCutTable = await copyRelease();
  truncateSync(join(releaseWithCutTable, 'companies.parquet'), 20);
  await expect(readAll(releaseWithCutTable)).rejects.toMatchObject(matchDataFailure(/companies\.parquet.*20 bytes/));
  const releaseWithoutTable = await copyRelease();
  rmSync(join(releaseWithoutTable, 'screen.parquet'));
  await expect(readAll(releaseWithoutTable)).rejects.toMatchObject(matchDataFailure(/screen\.parquet/));
  expect(verifyRelease(releaseWithoutTable, readManifest(releaseWithoutTable))).toEqual([
    expect.stringMatching(/^screen\.parquet cannot be read/),
  ]);
  const releaseWithDamagedIndex = await copyRelease();
  const index = readFileSync(join(releaseWithDamagedIndex, 'reported_values.index'));
  index[20] = (index[20] ?? 0) ^ 1;
  writeFileSync(join(releaseWithDamagedIndex, 'reported_values.index'), index);
  await expect(readAll(releaseWithDamagedIndex)).rejects.toMatchObject(
    matchDataFailure(/reported_values\.index.*checksum/),
  );
});

test('a release of another layout is refused, and the error names the layout', async () => {
  const directory = await copyRelease();
  const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ ...manifest, layout: 99 }));
  expect(() => openRelease(directory)).toThrow(expect.objectContaining(matchDataFailure(/layout 99/)));
});

test.each([
  ['not JSON', '{'],
  ['not an object', '[]'],
  ['missing', null],
])('a manifest that is %s makes a release damaged', async (_, text) => {
  const directory = await copyRelease();
  if (text === null) rmSync(join(directory, 'manifest.json'));
  else writeFileSync(join(directory, 'manifest.json'), text);
  expect(() => openRelease(directory)).toThrow(expect.objectContaining(matchDataFailure(/manifest\.json/)));
});

test.each([
  ['all checksums', true],
  ['the CRC alone', false],
])('a change anywhere in a manifest is detected by %s', async (_, checksHashes) => {
  const directory = await copyRelease();
  const path = join(directory, 'manifest.json');
  const bytes = readFileSync(path);
  const manifest = readManifest(directory);
  let detectedCount = 0;
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(7), (position, bit) => {
      const changedBytes = Buffer.from(bytes);
      changedBytes[position] = (changedBytes[position] ?? 0) ^ (1 << bit);
      writeFileSync(path, changedBytes);
      try {
        // Some changes are accepted: whitespace and, if only the CRC is verified, the manifest's checksum, which is
        // then not compared.
        const rereadManifest = readManifest(directory, { checksHashes });
        expect(checksHashes ? rereadManifest : { ...rereadManifest, checksum: manifest.checksum }).toEqual(manifest);
      } catch (error) {
        expect(error).toMatchObject({ name: 'Failure', kind: 'data' });
        detectedCount += 1;
      }
    }),
    { numRuns: 500, seed: 20261122 },
  );
  expect(detectedCount).toBeGreaterThan(400);
});

test('a manifest with changed tables or of another release is refused, and a manifest without a CRC is read', async () => {
  const directory = await copyRelease();
  const path = join(directory, 'manifest.json');
  const manifest = readManifest(directory);
  expect(manifest.crc32).toBeTypeOf('number');
  const { crc32: _, checksum: __, ...manifestWithoutChecksums } = manifest;
  const checksum = hash('sha256', JSON.stringify(manifestWithoutChecksums));
  writeFileSync(path, JSON.stringify({ ...manifestWithoutChecksums, checksum }));
  expect(readManifest(directory, { checksHashes: false })).toEqual({ ...manifestWithoutChecksums, checksum });
  writeFileSync(
    path,
    JSON.stringify({ ...manifestWithoutChecksums, date: '2000-01-01', stamp: '2000-01-01-000000000000', checksum }),
  );
  expect(() => readManifest(directory, { checksHashes: false })).toThrow(
    expect.objectContaining(matchDataFailure(/checksum/)),
  );
  const otherTable = { ...manifest.tables.companies, content: '0'.repeat(64) };
  const forgedManifest = { ...manifest, tables: { ...manifest.tables, companies: otherTable } } as Manifest;
  writeFileSync(path, serializeManifest(forgedManifest));
  expect(() => readManifest(directory)).toThrow(expect.objectContaining(matchDataFailure(/do not match its stamp/)));
  const copyDirectory = join(await makeFolder('copy'), '2020-01-01-000000000000');
  cpSync(undamagedDirectory, copyDirectory, { recursive: true });
  expect(() => readManifest(copyDirectory)).toThrow(
    expect.objectContaining(matchDataFailure(/belongs to another release/)),
  );
});

test('a manifest cannot refer to files outside its directory', async () => {
  const directory = await copyRelease();
  const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));
  manifest.tables.companies.file = '../../secrets.parquet';
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
  expect(() => openRelease(directory)).toThrow(expect.objectContaining(matchDataFailure(/companies/)));
});

test('publishing over a damaged copy of the same release repairs it', async () => {
  const home = await makeFolder('home');
  const source = await writeSource([APPLE]);
  const { directory } = await buildRelease({ sourceDirectory: source, home, workerScript: null });
  truncateSync(join(directory ?? '', 'reported_values.parquet'), 100);
  const secondBuild = await buildRelease({ sourceDirectory: source, home, workerScript: null });
  expect(secondBuild).toMatchObject({ publication: 'replaced_damaged', directory });
  await expect(readAll(directory ?? '')).resolves.toBeUndefined();
});
