import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowLookup, groupLines, joinCells, type LineCodec, splitCells } from '../../src/store/keyed-lines.ts';

test('rows are read back in order of their key, then in the order of the lines, whatever their length and script', () => {
  const codec: LineCodec<readonly string[]> = { write: joinCells, read: (line) => splitCells(line, ['id', 'text']) };
  const rows = Array.from({ length: 40 }, (_, index) => {
    return [index % 3 === 0 ? 2_000_000 : 9000, [String(index), 'Åß漢😀'.repeat(index * index * 10)]] as const;
  });
  const text = rows.map(([key, row]) => `${key}\t${codec.write(row)}\n`).join('');
  const listRows = (wanted: number) => rows.flatMap(([key, row]) => (key === wanted ? [row] : []));
  expect([...groupLines(text, codec)]).toEqual([9000, 2_000_000].map((key) => [key, listRows(key)]));
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
