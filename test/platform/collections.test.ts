import { expect, test } from 'vitest';
import {
  findFirstIndex,
  getOnlyElement,
  getOrInsert,
  groupBy,
  pushTo,
  sortIfNeeded,
  sumNumbers,
} from '../../src/platform/collections.ts';

test('getOrInsert inserts a value once per key', () => {
  const map = new Map<string, number[]>();
  getOrInsert(map, 'a', () => []).push(1);
  getOrInsert(map, 'a', () => []).push(2);
  pushTo(map, 'a', 3);
  pushTo(map, 'b', 4);
  expect([...map]).toEqual([
    ['a', [1, 2, 3]],
    ['b', [4]],
  ]);
});

test('groups have the order in which their keys first appear', () => {
  const groups = groupBy(['bb', 'a', 'cc', 'd'], (text) => text.length);
  expect([...groups]).toEqual([
    [2, ['bb', 'cc']],
    [1, ['a', 'd']],
  ]);
});

test('items are sorted in place, and equal items keep their order', () => {
  const items = [
    { key: 2, name: 'x' },
    { key: 1, name: 'y' },
    { key: 2, name: 'z' },
  ];
  expect(sortIfNeeded(items, (a, b) => a.key - b.key)).toBe(items);
  expect(items.map(({ name }) => name).join('')).toBe('yxz');
});

test('sumNumbers adds numbers', () => {
  expect(sumNumbers([])).toBe(0);
  expect(sumNumbers([1, 2, 3])).toBe(6);
});

test('findFirstIndex finds the first index that passes, for every position and range', () => {
  for (let length = 0; length <= 9; length += 1)
    for (let firstPassingIndex = 0; firstPassingIndex <= length; firstPassingIndex += 1)
      for (let from = 0; from <= length; from += 1)
        expect(findFirstIndex(from, length, (index) => index >= firstPassingIndex)).toBe(
          Math.max(from, firstPassingIndex),
        );
});

test('onlyElement returns null unless the list has exactly one element', () => {
  expect([getOnlyElement([]), getOnlyElement(['a']), getOnlyElement(['a', 'b'])]).toEqual([null, 'a', null]);
});
