import { expect, test } from 'vitest';
import {
  countSecondsToMonthEnd,
  countSecondsToWindowEnd,
  formatMonth,
  windowAt,
} from '../../../src/service/limits/counters.ts';

test('windows are numbered since 1970 and end with the minute', () => {
  const now = Date.UTC(2026, 10, 22, 3, 14, 59, 1);
  expect(windowAt(now, 60)).toBe(Math.floor(now / 60_000));
  expect(countSecondsToWindowEnd(now, 60)).toBe(1);
  expect(countSecondsToWindowEnd(Date.UTC(2026, 10, 22, 3, 15), 60)).toBe(60);
  expect(countSecondsToWindowEnd(Date.UTC(2026, 10, 22, 3, 15, 7), 10)).toBe(3);
});

test('months are named by year and month in UTC, and end with their last second', () => {
  const lastSecond = Date.UTC(2026, 11, 31, 23, 59, 59, 500);
  expect([formatMonth(lastSecond), countSecondsToMonthEnd(lastSecond)]).toEqual(['2026-12', 1]);
  expect([formatMonth(lastSecond + 500), countSecondsToMonthEnd(lastSecond + 500)]).toEqual(['2027-01', 31 * 86_400]);
  // The previous call cached a minute of the next month; the cached minute must not be used for this time.
  expect(formatMonth(lastSecond)).toBe('2026-12');
});
