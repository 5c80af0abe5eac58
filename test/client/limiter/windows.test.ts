import { expect, test } from 'vitest';
import {
  adjustShift,
  computeUncertainty,
  estimateOffset,
  findMonthAt,
  findWindowAt,
  narrowClock,
  UNKNOWN_CLOCK,
} from '../../../src/client/limiter/windows.ts';

test("windows follow the calendar of the service's clock", () => {
  const now = Date.UTC(2026, 4, 31, 23, 59, 30);
  expect(findWindowAt(now, 60_000, UNKNOWN_CLOCK, 0).end).toBe(Date.UTC(2026, 5, 1));
  expect(findMonthAt(now, UNKNOWN_CLOCK)).toMatchObject({ index: 202605, end: Date.UTC(2026, 5, 1) });
  const clockAnHourAhead = narrowClock(UNKNOWN_CLOCK, now + 3_600_000, now - 20, now);
  expect(findMonthAt(now, clockAnHourAhead).index).toBe(202606);
});

test('a stated end of a window is adopted, and the window keeps its index', () => {
  const now = Date.UTC(2026, 4, 31, 23, 59, 30, 400);
  const calendar = findWindowAt(now, 60_000, UNKNOWN_CLOCK, 0);
  for (const seconds of [1, 3, 27, 33, 45, 60]) {
    const shift = adjustShift(now, seconds * 1000, 60_000, UNKNOWN_CLOCK, 0);
    const window = findWindowAt(now, 60_000, UNKNOWN_CLOCK, shift);
    expect(window).toMatchObject({ index: calendar.index, end: now + seconds * 1000 });
    expect(findWindowAt(window.end, 60_000, UNKNOWN_CLOCK, shift)).toMatchObject({ index: calendar.index + 1 });
  }
});

test('a window that has just begun ends when the service says so again', () => {
  const now = Date.UTC(2026, 4, 31, 23, 59, 30, 400);
  const first = adjustShift(now, 1000, 60_000, UNKNOWN_CLOCK, 0);
  const later = now + 1030;
  const second = adjustShift(later, 1000, 60_000, UNKNOWN_CLOCK, first);
  expect(findWindowAt(later, 60_000, UNKNOWN_CLOCK, second).end).toBe(later + 1000);
});

test('an end that agrees with the calendar up to a second is not a shift, also around the turn of a minute', () => {
  const minute = Date.UTC(2026, 4, 31, 23, 59);
  for (const [second, resetSeconds] of [
    [30.4, 29],
    [30.4, 30],
    [30.4, 31],
    [59.8, 60],
    [0.3, 60],
  ] as const) {
    expect(adjustShift(minute + second * 1000, resetSeconds * 1000, 60_000, UNKNOWN_CLOCK, 0), String(second)).toBe(0);
  }
  expect(adjustShift(minute, 0, 60_000, UNKNOWN_CLOCK, 7)).toBe(7);
  expect(adjustShift(minute, 61_000, 60_000, UNKNOWN_CLOCK, 7)).toBe(7);
});

test("a difference between the service's clock and the client's is applied only if it is certain", () => {
  const now = 1_780_000_000_400;
  const truncateToSeconds = (time: number) => Math.floor(time / 1000) * 1000;
  const synchronizedClock = narrowClock(UNKNOWN_CLOCK, truncateToSeconds(now), now - 30, now);
  expect(estimateOffset(synchronizedClock)).toBe(0);
  expect(computeUncertainty(synchronizedClock)).toBe(0);
  for (const skewMs of [-3_600_000, 3_600_000, 5000, -5000]) {
    let clock = UNKNOWN_CLOCK;
    for (let timeMs = now; timeMs < now + 20_000; timeMs += 730)
      clock = narrowClock(clock, truncateToSeconds(timeMs + skewMs), timeMs - 30, timeMs);
    expect(Math.abs(estimateOffset(clock) - skewMs)).toBeLessThan(200);
    expect(computeUncertainty(clock)).toBeLessThan(300);
  }
});

test("after a change of the client's clock the difference is measured again", () => {
  const now = 1_780_000_000_000;
  const clockAnHourAhead = narrowClock(UNKNOWN_CLOCK, now + 3_600_000, now - 10, now);
  expect(estimateOffset(narrowClock(clockAnHourAhead, now, now - 10, now))).toBe(0);
});
