import { expect, test } from 'vitest';
import { compareNullsFirst, compareNullsLast, compareText } from '../../src/contract/compare-text.ts';

test('texts are ordered by code units, independent of the locale', () => {
  expect(['b', 'é', 'Z', 'a', ''].sort(compareText)).toEqual(['', 'Z', 'a', 'b', 'é']);
  expect(compareText('a', 'a')).toBe(0);
});

test('nulls are ordered first or last, and are equal to each other', () => {
  const texts = ['b', null, 'a', null];
  expect([...texts].sort(compareNullsFirst)).toEqual([null, null, 'a', 'b']);
  expect([...texts].sort(compareNullsLast)).toEqual(['a', 'b', null, null]);
  expect(compareNullsFirst(null, null)).toBeCloseTo(0);
});
