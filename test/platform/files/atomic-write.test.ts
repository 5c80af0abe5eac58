import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeAtomically } from '../../../src/platform/files/atomic-write.ts';

const makeFolder = () => mkdtempSync(join(tmpdir(), 'fin-atomic-'));
const readPermissions = (path: string) => statSync(path).mode & 0o777;

test('a file is replaced atomically, and only its owner may read it', () => {
  const file = join(makeFolder(), 'a');
  for (const text of ['first', 'second']) writeAtomically(file, text);
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(readdirSync(join(file, '..'))).toEqual(['a']);
  if (process.platform !== 'win32') expect(readPermissions(file)).toBe(0o600);
});

test('a missing directory is created with access for its owner only, unless createsDirectory is false', () => {
  const directory = join(makeFolder(), 'below', 'deeper');
  expect(() => writeAtomically(join(directory, 'a'), 'text', { createsDirectory: false })).toThrow('ENOENT');
  writeAtomically(join(directory, 'a'), Buffer.from('text'), { isDurable: true, mode: 0o644 });
  expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('text');
  if (process.platform !== 'win32')
    expect([readPermissions(directory), readPermissions(join(directory, 'a'))]).toEqual([0o700, 0o644]);
});

test('a failed replacement leaves no temporary file', () => {
  const directory = makeFolder();
  mkdirSync(join(directory, 'taken'));
  expect(() => writeAtomically(join(directory, 'taken'), 'text')).toThrow();
  writeFileSync(join(directory, 'file'), 'as it was');
  expect(() => writeAtomically(join(directory, 'file', 'a'), 'text')).toThrow('ENOTDIR');
  expect(readdirSync(directory).sort()).toEqual(['file', 'taken']);
  expect(readFileSync(join(directory, 'file'), 'utf8')).toBe('as it was');
});

test('a file name of the maximum length is written', () => {
  const file = join(makeFolder(), 'n'.repeat(255));
  writeAtomically(file, 'text');
  expect(readFileSync(file, 'utf8')).toBe('text');
});

test('a durable write removes temporary files of killed processes, but no recent or other files', () => {
  const directory = makeFolder();
  const names = ['.latest.json.77-mx0ijeei-5.tmp', '.notes.tmp', 'kept.77-mx0ijeei-5.tmp'];
  for (const name of names) writeFileSync(join(directory, name), 'partial');
  const options = { isDurable: true };
  writeAtomically(join(directory, 'latest.json'), 'text', options);
  expect(readdirSync(directory).sort()).toEqual([...names, 'latest.json'].sort());
  const twoHoursAgo = Date.now() / 1000 - 7200;
  for (const name of names) utimesSync(join(directory, name), twoHoursAgo, twoHoursAgo);
  writeAtomically(join(directory, 'latest.json'), 'text', options);
  expect(readdirSync(directory).sort()).toEqual(['.notes.tmp', 'kept.77-mx0ijeei-5.tmp', 'latest.json']);
});
