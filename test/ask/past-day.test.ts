import { expect, test } from 'vitest';
import { readPastDay } from '../../src/ask/values/past-day.ts';

const readDay = (text: string): string => readPastDay(text, () => '2026-03-31');

test('a date may be written without dashes or leading zeros', () => {
  for (const text of ['2026-08-07', '20260807', '2026-8-7', '2026-08-7']) expect(readDay(text)).toBe('2026-08-07');
});

test('"yesterday", "5d", "2w", "1m" and "1y" count back from today', () => {
  expect(readDay('today')).toBe('2026-03-31');
  expect(readDay('Yesterday')).toBe('2026-03-30');
  expect(readDay('5d')).toBe('2026-03-26');
  expect(readDay('2w')).toBe('2026-03-17');
  // February has no 31st, so the result is the last day of February.
  expect(readDay('1m')).toBe('2026-02-28');
  expect(readDay('1Y')).toBe('2025-03-31');
  expect(readDay('9999y')).toBe('0001-03-31');
});

test('text that is not a date is returned unchanged, so that the contract rejects it', () => {
  for (const text of ['', 'tomorrow', '5', '17.8.2026', '8/17/2026', '-5d', '3 months'])
    expect(readDay(text)).toBe(text);
  expect(readDay('2026-2-30')).toBe('2026-02-30');
});

test('today is the current date in New York', () => {
  expect(readPastDay('today')).toMatch(/^\d{4}-\d\d-\d\d$/);
});
