import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testNeeding } from '../needs.ts';

/** Copies that editors, patch and merge tools leave next to a file. */
const BACKUP_PATTERN = /(\.(orig|rej|bak|swp)|~)$/;

const { status, stdout } = spawnSync('git', ['ls-files', '-z'], {
  cwd: resolve(import.meta.dirname, '../..'),
  encoding: 'utf8',
});

testNeeding('a checkout by git', status === 0)('no backup file is tracked', () => {
  const trackedFiles = stdout.split('\0').filter((file) => file !== '');
  expect(trackedFiles).toContain('package.json');
  expect(trackedFiles.filter((file) => BACKUP_PATTERN.test(file))).toEqual([]);
});

test.each(['src/cli.ts.orig', 'src/cli.ts.rej', 'README.md~', 'a.bak'])('%s is a backup file', (file) => {
  expect(file).toMatch(BACKUP_PATTERN);
});
