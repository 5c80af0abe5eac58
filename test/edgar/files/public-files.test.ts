import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ArchiveError, openArchive } from '../../../src/edgar/files/archive.ts';
import { openPublicFiles, PublicFilesError } from '../../../src/edgar/files/public-files.ts';
import { makeZip } from '../make-zip.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fin-source-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a directory of bulk zips and ticker lists is read', async () => {
  const bulkDirectory = join(folder, 'bulk');
  await mkdir(join(bulkDirectory, 'files'), { recursive: true });
  await makeZip(join(bulkDirectory, 'companyfacts.zip'), {
    'CIK0000000002.json': '{"b":2}',
    'CIK0000000001.json': '{"a":1}',
    'notes.txt': 'x',
  });
  await makeZip(join(bulkDirectory, 'submissions.zip'), {
    'CIK0000000001-submissions-002.json': 'p2',
    'CIK0000000001.json': 'main',
    'CIK0000000001-submissions-001.json': 'p1',
  });
  await writeFile(join(bulkDirectory, 'files', 'company_tickers.json'), 'T');
  const publicFiles = await openPublicFiles(bulkDirectory);
  expect(publicFiles.factCiks).toEqual([1, 2]);
  expect(publicFiles.submissionCiks).toEqual([1]);
  expect(String(await publicFiles.readFacts(2))).toBe('{"b":2}');
  expect(await publicFiles.readFacts(3)).toBeNull();
  expect(await publicFiles.readSubmissionFiles(1)).toEqual({ mainFile: 'main', pageFiles: ['p1', 'p2'] });
  expect(await publicFiles.readSubmissionFiles(2)).toEqual({ mainFile: null, pageFiles: [] });
  expect(await publicFiles.readTickerList('company_tickers.json')).toBe('T');
  expect(await publicFiles.readTickerList('company_tickers_exchange.json')).toBeNull();
  expect(publicFiles.files.map((file) => file.name)).toEqual([
    'companyfacts.zip',
    'files/company_tickers.json',
    'submissions.zip',
  ]);
  publicFiles.close();
});

test('all zips in the folders of company facts and of submissions are read, whatever their names', async () => {
  const path = join(folder, 'several');
  await mkdir(join(path, 'companyfacts'), { recursive: true });
  await mkdir(join(path, 'submissions'));
  await makeZip(join(path, 'companyfacts', 'large.zip'), {
    'CIK0000000001.json': 'large 1',
    'CIK0000000002.json': '2',
  });
  await makeZip(join(path, 'companyfacts', 'small.zip'), {
    'CIK0000000001.json': 'small 1',
    'CIK0000000003.json': '3',
  });
  await makeZip(join(path, 'submissions', 'a.zip'), { 'CIK0000000004.json': 'main' });
  const publicFiles = await openPublicFiles(path);
  expect(publicFiles.factCiks).toEqual([1, 2, 3]);
  expect(publicFiles.submissionCiks).toEqual([4]);
  expect(String(await publicFiles.readFacts(1))).toBe('large 1');
  expect(publicFiles.files.map(({ name }) => name)).toEqual([
    'companyfacts/large.zip',
    'companyfacts/small.zip',
    'submissions/a.zip',
  ]);
  publicFiles.close();
});

test('the same files are read unzipped, at the root or in folders', async () => {
  const path = join(folder, 'loose');
  await mkdir(join(path, 'companyfacts'), { recursive: true });
  await mkdir(join(path, 'submissions'));
  await writeFile(join(path, 'CIK0000000009.json'), 'root');
  await writeFile(join(path, 'companyfacts', 'cik0000000001.json'), 'own');
  await writeFile(join(path, 'submissions', 'CIK0000000001.json'), 'main');
  await writeFile(join(path, 'company_tickers_exchange.json'), 'E');
  const publicFiles = await openPublicFiles(path);
  expect(publicFiles.factCiks).toEqual([1, 9]);
  expect([await publicFiles.readFacts(1), await publicFiles.readFacts(9)].map(String)).toEqual(['own', 'root']);
  expect(await publicFiles.readSubmissionFiles(1)).toEqual({ mainFile: 'main', pageFiles: [] });
  expect(await publicFiles.readTickerList('company_tickers.json')).toBeNull();
  expect(await publicFiles.readTickerList('company_tickers_exchange.json')).toBe('E');
  publicFiles.close();
});

test("of a company's facts files with dates in their names, the latest is read", async () => {
  const path = join(folder, 'captures.zip');
  await makeZip(path, { 'CIK0000000001-2025-02-01.json': 'new', 'CIK0000000001-2024-02-01.json': 'old' });
  const publicFiles = await openPublicFiles(path);
  expect(publicFiles.factCiks).toEqual([1]);
  expect(String(await publicFiles.readFacts(1))).toBe('new');
  publicFiles.close();
});

test('a missing path, a link loop, a directory without known files and an invalid zip are errors', async () => {
  await expect(openPublicFiles(join(folder, 'absent'))).rejects.toThrow(/absent: no such file or directory/);
  await symlink('circle', join(folder, 'circle'));
  await expect(openPublicFiles(join(folder, 'circle'))).rejects.toThrow(/circle: too many symbolic links/);
  await mkdir(join(folder, 'empty'));
  await expect(openPublicFiles(join(folder, 'empty'))).rejects.toThrow(PublicFilesError);
  await writeFile(join(folder, 'text.zip'), 'not a zip');
  await expect(openPublicFiles(join(folder, 'text.zip'))).rejects.toThrow(ArchiveError);
});

test('members whose names lead out of the archive, and repeated members, are refused, and the other members are read', async () => {
  const path = join(folder, 'hostile.zip');
  await makeZip(path, {
    '../../CIK0000000001.json': 'evil',
    '/CIK0000000002.json': 'evil',
    'a/CIK0000000003.json': 'good',
    'b/cik0000000003.JSON': 'twin',
  });
  const archive = await openArchive(path);
  expect(archive.names).toEqual(['CIK0000000003.json']);
  expect(archive.rejected.map((member) => member.reason)).toEqual([
    'unsafe file name',
    'unsafe file name',
    'second file with the same name',
  ]);
  expect((await archive.read('cik0000000003.json')).toString()).toBe('good');
  await expect(archive.read('CIK0000000001.json')).rejects.toThrow('does not contain CIK0000000001.json');
  archive.close();
});

test('a member larger than the limit is not inflated, even if the zip directory states a smaller size', async () => {
  const path = join(folder, 'bomb.zip');
  await makeZip(path, { 'big.json': ' '.repeat(1_000_000), 'small.json': '{}' });
  const archive = await openArchive(path, 10_000);
  await expect(archive.read('big.json')).rejects.toThrow(
    /big\.json: it has 1000000 bytes, more than the allowed 10000/,
  );
  expect((await archive.read('small.json')).toString()).toBe('{}');
  archive.close();

  const forgedZip = await readFile(path);
  // The zip's directory states a small size for the first member, which is a zip bomb: the reader must not inflate all
  // of it.
  forgedZip.writeUInt32LE(5, forgedZip.indexOf('PK\x01\x02') + 24);
  await writeFile(path, forgedZip);
  const forgedArchive = await openArchive(path, 10_000);
  await expect(forgedArchive.read('big.json')).rejects.toThrow(ArchiveError);
  forgedArchive.close();
});
