import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from '../../../src/edgar/files/list-files.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import { makeTemporaryFolder } from '../../clean-up.ts';

/** Writes empty files into a new directory, and lists them. */
async function listCreatedFiles(names: readonly string[], maxFiles?: number) {
  const folder = makeTemporaryFolder('list');
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  symlinkSync('missing', join(folder, 'link'));
  const [skipped, problems] = [new SkippedRowCounts(), [] as string[]];
  const files = await listFiles(folder, { skipped, problems }, maxFiles);
  return { names: files.map(({ name }) => name), skipped: skipped.getCounts(), problems };
}

test('a folder that is too deep and a broken link are counted and named', async () => {
  expect(await listCreatedFiles(['a/b/c/d/5.xml', 'a/b/c/4.xml', 'z.xml'])).toEqual({
    names: ['a/b/c/4.xml', 'z.xml'],
    skipped: { 'a source file that is not a regular file': 1, 'a source folder that is too deep': 1 },
    problems: [
      'a/b/c/d: the folder is more than 3 levels deep, so its files are not read; move the files up',
      'link: it is not a regular file',
    ],
  });
});

test('files over the maximum number are counted, and the first of them is named', async () => {
  expect(await listCreatedFiles(['a/1.xml', 'a/2.xml', 'b/3.xml', 'b/4.xml'], 2)).toEqual({
    names: ['a/1.xml', 'a/2.xml'],
    skipped: { 'a source file over the maximum number': 3 },
    problems: ['b/3.xml: this file and all later files are over the maximum of 2; put files into zips'],
  });
});
