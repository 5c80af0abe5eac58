import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeProblem, SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import { makeTemporaryFolder } from '../../clean-up.ts';

test('reasons are counted, and listed in alphabetical order', () => {
  const skipped = new SkippedRowCounts();
  skipped.add('b');
  skipped.add('a', 2);
  skipped.addAll({ b: 3 });
  expect(Object.entries(skipped.getCounts())).toEqual([
    ['a', 2],
    ['b', 4],
  ]);
});

test('a problem names its file once, relative to the source directory', async () => {
  expect(describeProblem('13f.zip', new Error('cut'))).toBe('13f.zip: cut');
  expect(describeProblem('data/13f.zip', new Error('/home/x/data/13f.zip: cut'))).toBe('data/13f.zip: cut');
  expect(describeProblem('13f.zip', 'cut')).toBe('13f.zip: cut');
  // The message of a system error ends with the path.
  const error = await readFile(join(makeTemporaryFolder('missing'), '13f.xml')).catch((cause: unknown) => cause);
  expect(describeProblem('13f.xml', error)).toBe('13f.xml: no such file or directory (ENOENT)');
});
