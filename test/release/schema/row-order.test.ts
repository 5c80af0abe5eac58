import { expect, test } from 'vitest';
import { compareNullsFirst, compareNullsLast } from '../../../src/release/schema/row-order.ts';

test('rows without a value come first or last, as asked, and equal ones stay', () => {
  const values = ['b', null, 'a', null];
  expect([...values].sort(compareNullsFirst)).toEqual([null, null, 'a', 'b']);
  expect([...values].sort(compareNullsLast)).toEqual(['a', 'b', null, null]);
  expect(compareNullsFirst(null, null)).toBeCloseTo(0);
});
