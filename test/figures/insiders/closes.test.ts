import { expect, test } from 'vitest';
import { closesNear } from '../../../src/figures/insiders/closes.ts';

/** Tesla around its split of August 2020, one share of old becoming five: 2213.40 on the 28th, 498.32 on the 31st. */
const TESLA = [
  { day: '2020-08-28', price: '2213.40' },
  { day: '2020-08-31', price: '498.32' },
  { day: '2020-08-31', price: '498.30' },
];

test('the price of the day, or the nearest within a week', () => {
  const close = closesNear(TESLA);
  expect(close('2020-08-28')).toBe('2213.40');
  expect(close('2020-08-21')).toBe('2213.40');
  expect(close('2020-09-07')).toBe('498.32');
  expect(close('2020-08-20')).toBeNull();
  expect(close('2020-09-08')).toBeNull();
  expect(closesNear([])('2020-08-28')).toBeNull();
});

test('between two prices the higher counts, so that a split makes no correct price look wrong', () => {
  expect(closesNear(TESLA)('2020-08-29')).toBe('2213.40');
});
