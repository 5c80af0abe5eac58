import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeScreenMonths } from '../../../src/building/history/screen-months.ts';
import { HISTORY_COLUMNS, PRICED_OPERANDS, QUARTERLY_COLUMNS } from '../../../src/store/schema/screen.ts';
import { makeFolder } from '../../store/public-source.ts';

const COLUMN_NAMES = [...HISTORY_COLUMNS, PRICED_OPERANDS];
const makeCells = (isFilled: (name: string) => boolean) => COLUMN_NAMES.map((name) => (isFilled(name) ? '1' : null));

/**
 * Makes two months of a year. Each company has a complete row in February, and a change of quarterly columns in May.
 * The first company also has a change of assets in May.
 * Returns first key, last key and row count of each row group.
 */
async function makeRowGroups(companyCount: number) {
  const lines = Array.from({ length: companyCount }, (_, index) => [
    [index + 1, '2019-02-15', 'whole', ...makeCells(() => true)],
    [index + 1, '2019-05-03', 'changes', ...makeCells((name) => QUARTERLY_COLUMNS.has(name))],
    ...(index === 0 ? [[1, '2019-05-06', 'changes', ...makeCells((name) => name === 'assets')]] : []),
  ]).flat();
  const linesText = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const path = join(await makeFolder('slices'), 'lines');
  writeFileSync(path, linesText);
  const slice = { path, from: 0, length: Buffer.byteLength(linesText), sha256: hash('sha256', linesText) };
  const { parts, ciks } = await makeScreenMonths({
    kind: 'screen months',
    tables: 'states',
    lastStateDay: null,
    lines: [slice],
  });
  expect(ciks.length).toBe(companyCount);
  return parts.flatMap(({ groups }) => groups.map(({ firstKey, lastKey, rows }) => [firstKey, lastKey, rows]));
}

test('companies with only quarterly changes in a month have a separate row group', async () => {
  expect(await makeRowGroups(2000)).toEqual([
    [201902, 201902, 2000],
    // The first company has another change in May, so both of its rows are in a separate row group.
    [201905, 201905, 2],
    [201905, 201905, 1999],
  ]);
});

test('the months of a year with few rows share a row group', async () => {
  expect(await makeRowGroups(200)).toEqual([[201902, 201905, 401]]);
});
