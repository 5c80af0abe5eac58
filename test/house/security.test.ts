import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

test('each row of the table of limits names tests that exist', () => {
  const folder = resolve(import.meta.dirname, '../../.github');
  const rows = readFileSync(join(folder, 'SECURITY.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| what is read'));
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const files = [...row.matchAll(/\]\((\S+)\)/g)].map(([, path = '']) => path);
    expect([row, files.length > 0 && files.every((path) => existsSync(join(folder, path)))]).toEqual([row, true]);
  }
});
