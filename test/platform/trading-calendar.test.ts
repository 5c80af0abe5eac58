import { expect, test } from 'vitest';
import {
  findNextTradingDay,
  findPreviousTradingDay,
  findTradingDay,
  isTradingDay,
} from '../../src/platform/trading-calendar.ts';

/** Returns every weekday of the year on which the exchange was closed. */
function listMarketClosures(year: number): string[] {
  const closedWeekdays: string[] = [];
  for (let time = Date.UTC(year, 0, 1); time < Date.UTC(year + 1, 0, 1); time += 86_400_000) {
    const date = new Date(time);
    const day = date.toISOString().slice(0, 10);
    if (date.getUTCDay() % 6 !== 0 && !isTradingDay(day)) closedWeekdays.push(day.slice(5));
  }
  return closedWeekdays;
}

/** The closed days that the exchange announced. */
test.each([
  [2012, '01-02 01-16 02-20 04-06 05-28 07-04 09-03 10-29 10-30 11-22 12-25'],
  [2018, '01-01 01-15 02-19 03-30 05-28 07-04 09-03 11-22 12-05 12-25'],
  [2020, '01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25'],
  [2021, '01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24'],
  [2022, '01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26'],
  [2023, '01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25'],
  [2024, '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25'],
  [2025, '01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25'],
  [2026, '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25'],
])('the exchange was closed in %i on %s', (year, days) => {
  expect(listMarketClosures(year)).toEqual(days.split(' '));
});

test('the trading day before, on or after a date is found', () => {
  expect(findPreviousTradingDay('2023-01-03')).toBe('2022-12-30');
  expect(findPreviousTradingDay('2022-12-01')).toBe('2022-11-30');
  expect(findTradingDay('2025-11-30')).toBe('2025-11-28');
  expect(findTradingDay('2026-03-31')).toBe('2026-03-31');
  expect(findNextTradingDay('2021-07-02')).toBe('2021-07-06');
});
