import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, countDaysBetween, pickLaterDay, toDay, toDayNumber } from '../../src/platform/dates.ts';

const arbitraryDay = fc.integer({ min: toDayNumber('1990-01-01'), max: toDayNumber('2060-12-31') }).map(toDay);

test('dates convert to day numbers and back', () => {
  expect(toDayNumber('1970-01-01')).toBe(0);
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(countDaysBetween('2023-12-31', '2024-12-31')).toBe(366);
  fc.assert(
    fc.property(arbitraryDay, (text) => {
      expect(toDay(toDayNumber(text))).toBe(text);
      expect(toDayNumber(text)).toBe(Date.parse(text) / 86_400_000);
    }),
  );
});

test('if one of two days is missing, pickLaterDay returns the other', () => {
  expect(pickLaterDay('2024-02-28', '2024-03-01')).toBe('2024-03-01');
  expect(pickLaterDay('2024-03-01', '2024-02-28')).toBe('2024-03-01');
  expect(pickLaterDay(null, '2024-02-28')).toBe('2024-02-28');
  expect(pickLaterDay('2024-02-28', null)).toBe('2024-02-28');
  expect(pickLaterDay(null, null)).toBe(null);
});
