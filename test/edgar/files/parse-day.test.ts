import { expect, test } from 'vitest';
import { parseDateTime, parseDay, parseWrittenDay } from '../../../src/edgar/files/fields.ts';

test.each([
  ['31-MAR-2025', '2025-03-31'],
  ['1-jan-2024', '2024-01-01'],
  ['03-31-2026', '2026-03-31'],
  ['20210614', '2021-06-14'],
  ['2021-06-14', '2021-06-14'],
  ['2010-05-07 13:14:00.0', '2010-05-07'],
  ['30-FEB-2024', null],
  ['31-XXX-2024', null],
  ['', null],
  ['20240229', '2024-02-29'],
  ['20230229', null],
  ['20000229', '2000-02-29'],
  ['19000229', null],
  ['20240400', null],
  ['31-JUN-2024', null],
  ['2021-13-01', null],
])('the date %s is read as %s', (text, day) => {
  expect(parseDay(text)).toBe(day);
});

test.each([
  ['2026-03-06 16:11:25', '2026-03-06T16:11:25'],
  ['20250121132357', '2025-01-21T13:23:57'],
  ['2026-02-31 16:11:25', null],
  ['2026-13-06 16:11:25', null],
  ['2026-03-06 24:00:00', null],
  ['20250121136057', null],
  ['2026-03-06', null],
  [null, null],
])('the time %s is read as %s', (text, time) => {
  expect(parseDateTime(text)).toBe(time);
});

test.each([
  ['September 28, 2024', '2024-09-28'],
  ['DECEMBER 31, 2024', '2024-12-31'],
  ['Sept. 7, 2024', '2024-09-07'],
  ['28 September 2024', '2024-09-28'],
  ['2024-09-28', '2024-09-28'],
  ['February 30, 2024', null],
  ['the year 2024', null],
  [undefined, null],
])('the date %s of a document is read as %s', (text, day) => {
  expect(parseWrittenDay(text)).toBe(day);
});
