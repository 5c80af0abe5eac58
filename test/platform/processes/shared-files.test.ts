import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDiskFiles, openFilesWithFallback, openMemoryFiles } from '../../../src/platform/processes/shared-files.ts';

const makeFolder = () => mkdtempSync(join(tmpdir(), 'fin-shared-'));

test.each([
  ['on the disk', () => openDiskFiles(join(makeFolder(), 'below'))],
  ['in memory', openMemoryFiles],
])('shared files behave the same %s', (_, openFiles) => {
  const files = openFiles();
  expect([files.list(), files.read('a'), files.size('a'), files.appendTo('a', 'x')]).toEqual([[], '', 0, false]);
  expect([files.createEmpty('a'), files.createEmpty('a')]).toEqual([true, false]);
  expect(files.appendTo('a', 'one\n')).toBe(true);
  files.append('a', 'two\n');
  expect([files.read('a'), files.read('a', 4), files.size('a')]).toEqual(['one\ntwo\n', 'two\n', 8]);
  files.replace('a', 'new');
  files.append('b', '');
  expect([files.read('a'), [...files.list()].sort()]).toEqual(['new', ['a', 'b']]);
  files.remove('a');
  files.remove('a');
  expect(files.list()).toEqual(['b']);
});

test('a state directory removed between two requests is created again', () => {
  const directory = join(makeFolder(), 'below');
  const files = openDiskFiles(directory);
  files.createEmpty('a');
  rmSync(directory, { recursive: true });
  expect([files.read('a'), files.createEmpty('a')]).toEqual(['', true]);
});

test('after the first error shared files are kept in memory, and the error is reported once', () => {
  const file = join(makeFolder(), 'file');
  writeFileSync(file, '');
  const errors: unknown[] = [];
  const files = openFilesWithFallback(file, (error) => errors.push(error));
  files.append('a', 'x');
  files.append('a', 'y');
  expect([files.read('a'), errors.length]).toEqual(['xy', 1]);
});
