/** The footer of a typed table, as readers in other languages take it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TypedFile } from '../../../src/publish/analytics/typed-file.ts';
import { newFolder } from '../../store/public-source.ts';

test('the row groups of a table without rows are a list of structures, as arrow-rs wants them', async () => {
  const path = join(await newFolder('typed-file'), 'empty.parquet');
  const column = { name: 'x', source: 'x', type: 'text', scale: 0, nullable: true, isRemainder: false } as const;
  const file = new TypedFile({ path, columns: [column], sortedBy: null, metadata: { table: 'empty' } });
  expect(file.finish()).toMatchObject({ rows: 0, rowGroups: 0 });
  const bytes = readFileSync(path);
  // Field 3, rows: an integer, 0. Field 4, row groups: a list of 0 structures. Field 5, metadata: a list of 1 structure.
  expect(bytes.includes(Buffer.of(0x16, 0, 0x19, 0x0c, 0x19, 0x1c))).toBe(true);
});
