import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Archive } from '../../../src/edgar/files/archive.ts';
import { ArchiveError, openArchive } from '../../../src/edgar/files/archive.ts';
import { makeZip } from '../make-zip.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fin-archive-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readStreamText(archive: Archive, name: string): Promise<string> {
  let text = '';
  for await (const chunk of archive.stream(name)) text += chunk.toString('latin1');
  return text;
}

test('a member is streamed completely, found by its path if names repeat', async () => {
  const path = join(folder, 'set.zip');
  await makeZip(path, { 'one/T.tsv': 'A\n1\n', 'two/T.tsv': 'x'.repeat(300_000) });
  const archive = await openArchive(path, undefined, 'path');
  expect(archive.names).toEqual(['one/T.tsv', 'two/T.tsv']);
  expect(await readStreamText(archive, 'ONE/t.tsv')).toBe('A\n1\n');
  expect((await readStreamText(archive, 'two/T.tsv')).length).toBe(300_000);
  expect(() => archive.stream('three/T.tsv')).toThrow('does not contain three/T.tsv');
  archive.close();
});

test('the stream of a damaged member fails with an error that names the member', async () => {
  const path = join(folder, 'damaged.zip');
  await makeZip(path, { 'T.tsv': 'A\n1\n' });
  const checksumOffset = (await readFile(path)).indexOf('PK\x01\x02') + 16;
  const fileHandle = await open(path, 'r+');
  await fileHandle.write(Buffer.from([1, 2, 3, 4]), 0, 4, checksumOffset);
  await fileHandle.close();
  const archive = await openArchive(path);
  await expect(readStreamText(archive, 'T.tsv')).rejects.toThrow(ArchiveError);
  await expect(readStreamText(archive, 'T.tsv')).rejects.toThrow('T.tsv: it is damaged');
  archive.close();
});
