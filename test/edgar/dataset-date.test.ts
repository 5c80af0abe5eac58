import { expect, test } from 'vitest';
import { datasetDay } from '../../src/edgar/dataset-date.ts';

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
  ['2021-13-01', null],
])('%s is %s', (text, day) => {
  expect(datasetDay(text)).toBe(day);
});
