import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, dayNumber, dayOfNumber, daysBetween } from '../../src/platform/dates.ts';

const dates = fc.integer({ min: dayNumber('1990-01-01'), max: dayNumber('2060-12-31') }).map(dayOfNumber);

test('dates convert to day numbers and back', () => {
  expect(dayNumber('1970-01-01')).toBe(0);
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(daysBetween('2023-12-31', '2024-12-31')).toBe(366);
  fc.assert(
    fc.property(dates, (text) => {
      expect(dayOfNumber(dayNumber(text))).toBe(text);
      expect(dayNumber(text)).toBe(Date.parse(text) / 86_400_000);
    }),
  );
});
