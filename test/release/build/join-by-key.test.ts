import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinByKey } from '../../../src/release/build/join-by-key.ts';

const GROUPS: readonly (readonly [number, readonly string[]])[] = [
  [1, ['a']],
  [3, ['b', 'c']],
  [7, ['d']],
];

test('each key gets its own rows, and a key without rows gets none', () => {
  const rowsOf = joinByKey(GROUPS.values());
  expect([1, 2, 3, 5, 7, 8].map(rowsOf)).toEqual([['a'], [], ['b', 'c'], [], ['d'], []]);
});

test('rows of keys that are not asked for are passed over', () => {
  const rowsOf = joinByKey(GROUPS.values());
  expect(rowsOf(7)).toEqual(['d']);
});

test('a key out of order is an error, because its rows are gone', () => {
  const rowsOf = joinByKey(GROUPS.values());
  rowsOf(3);
  expect(() => rowsOf(1)).toThrow(RangeError);
  expect(() => rowsOf(3)).toThrow(RangeError);
});

test('groups out of order are an error', () => {
  const rowsOf = joinByKey([...GROUPS].reverse().values());
  expect(() => rowsOf(8)).toThrow('the group 3 comes after 7');
});

test('the join equals a look-up, whichever keys have rows and whichever are asked for', () => {
  const keys = fc.uniqueArray(fc.nat(50)).map((list) => list.sort((a, b) => a - b));
  fc.assert(
    fc.property(keys, keys, (having, asked) => {
      const rowsOf = joinByKey(having.map((key) => [key, [`row of ${key}`]] as const).values());
      const found = new Map(having.map((key) => [key, [`row of ${key}`]]));
      for (const key of asked) expect(rowsOf(key)).toEqual(found.get(key) ?? []);
    }),
  );
});
