import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowLookup, joinCells, type LineCodec, Spill, splitCells } from '../../src/store/spill.ts';
import { makeFolder } from './public-source.ts';

test('rows are read back in order of their key, then in the order of adding, any number of times', async () => {
  const spill = new Spill<readonly string[]>(join(await makeFolder('spill'), 'rows'));
  for (const [cik, row] of [
    [2_000_000, 'd'],
    [9000, 'b'],
    [1, 'a'],
    [9000, 'c\twith\na "break"'],
    [999_999_999, 'e'],
  ] as const) {
    spill.add(cik, [row, '1.10']);
  }
  const expectedGroups = [
    [1, [['a', '1.10']]],
    [
      9000,
      [
        ['b', '1.10'],
        ['c\twith\na "break"', '1.10'],
      ],
    ],
    [2_000_000, [['d', '1.10']]],
    [999_999_999, [['e', '1.10']]],
  ];
  expect([...spill.groups()]).toEqual(expectedGroups);
  expect([...spill.groups()]).toEqual(expectedGroups);
});

test('rows that exceed the buffer are written to disk, and rows of keys that are not wanted are dropped', async () => {
  const folder = await makeFolder('spill');
  const spill = new Spill<string>(folder, [7, 8]);
  const longText = 'x'.repeat(1000);
  for (let index = 0; index < 300; index++) spill.add(index % 2 === 0 ? 7 : 9, `${index} ${longText}`);
  expect(readdirSync(folder)).toHaveLength(1);
  const groups = [...spill.groups()];
  expect(groups.map(([cik, rows]) => [cik, rows.length])).toEqual([[7, 150]]);
  expect(groups[0]?.[1].map((row) => row.split(' ')[0])).toEqual(
    Array.from({ length: 150 }, (_, index) => String(index * 2)),
  );
});

test('rows of any length and script are read back', async () => {
  const codec: LineCodec<readonly [string, string]> = {
    write: joinCells,
    read: (line) => splitCells(line, ['id', 'text']),
  };
  const spill = new Spill(await makeFolder('spill'), undefined, codec);
  const rows = Array.from({ length: 40 }, (_, index) => {
    return [String(index), 'Åß漢😀'.repeat(index * index * 10)] as const;
  });
  for (const row of rows) spill.add(1, row);
  expect([...spill.groups()]).toEqual([[1, rows]]);
});

test('cells are read back unchanged, except that tabs and line ends become spaces', () => {
  const names = ['a', 'b', 'c', 'd'] as const;
  expect(splitCells(joinCells(['', 'A \\ "B"', '1.10', '']), names)).toEqual(['', 'A \\ "B"', '1.10', '']);
  expect(splitCells(joinCells(['a\tb', '', '', 'c\r\nd']), names)).toEqual(['a b', '', '', 'c  d']);
});

test('a row with a wrong number of cells is an error', () => {
  expect(() => splitCells('only one', ['a', 'b'])).toThrow('1 cells instead of 2');
});

const GROUPS: readonly (readonly [number, readonly string[]])[] = [
  [1, ['a']],
  [3, ['b', 'c']],
  [7, ['d']],
];

test('each requested key gets its rows, and a key without rows gets an empty list', () => {
  const getRowsOf = createRowLookup(GROUPS.values());
  expect([1, 2, 3, 5, 7, 8].map(getRowsOf)).toEqual([['a'], [], ['b', 'c'], [], ['d'], []]);
});

test('rows of keys that are not requested are skipped', () => {
  const findRowsOf = createRowLookup(GROUPS.values());
  expect(findRowsOf(7)).toEqual(['d']);
});

test('requesting keys out of order is an error', () => {
  const lookUpRowsOf = createRowLookup(GROUPS.values());
  lookUpRowsOf(3);
  expect(() => lookUpRowsOf(1)).toThrow(RangeError);
  expect(() => lookUpRowsOf(3)).toThrow(RangeError);
});

test('joining groups that are not in order of their keys is an error', () => {
  const rowsOf = createRowLookup([...GROUPS].reverse().values());
  expect(() => rowsOf(8)).toThrow('the rows of key 3 came after those of key 7');
});

test('the join equals a look-up, whichever keys have rows or are requested', () => {
  const arbitraryKeys = fc.uniqueArray(fc.nat(50)).map((sortedKeys) => sortedKeys.sort((a, b) => a - b));
  fc.assert(
    fc.property(arbitraryKeys, arbitraryKeys, (storedKeys, requestedKeys) => {
      const rowsOf = createRowLookup(storedKeys.map((key) => [key, [`row of ${key}`]] as const).values());
      const rowsByKey = new Map(storedKeys.map((key) => [key, [`row of ${key}`]]));
      for (const key of requestedKeys) expect(rowsOf(key)).toEqual(rowsByKey.get(key) ?? []);
    }),
  );
});
