import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIntervalComputer } from '../../../src/client/limiter/rate-limiter.ts';

test('while the queue does not move, poll intervals grow up to 50 ms at its head and up to 2 s at its back', () => {
  const [computeHeadInterval, computeBackInterval] = [createIntervalComputer(), createIntervalComputer()];
  const computeIntervals = (next: (entryCount: number, now: number) => number, entryCount: number) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((round) => next(entryCount, round * 100));
  expect(Math.max(...computeIntervals(computeHeadInterval, 0))).toBe(50);
  expect(computeIntervals(computeBackInterval, 500).at(-1)).toBe(2000);
});

test('a moving queue is polled when half of the entries ahead should be done', () => {
  const computeInterval = createIntervalComputer();
  computeInterval(40, 0);
  // Twenty entries left the queue in two seconds, so half of the 20 entries ahead should leave in about one second; but
  // the interval is at most 10 ms per entry ahead.
  expect(computeInterval(20, 2000)).toBe(200);
  expect(computeInterval(19, 2100)).toBe(190);
});

test('every poll interval is at least 10 ms, and at most 10 ms per entry ahead (minimum 50 ms, maximum 2 s)', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(300), fc.nat(5000)), { minLength: 1, maxLength: 20 }), (steps) => {
      const computeInterval = createIntervalComputer();
      let nowMs = 0;
      for (const [entries, elapsedMs] of steps) {
        nowMs += elapsedMs;
        const intervalMs = computeInterval(entries, nowMs);
        expect(intervalMs).toBeGreaterThanOrEqual(10);
        expect(intervalMs).toBeLessThanOrEqual(Math.min(2000, Math.max(50, 10 * entries)));
      }
    }),
  );
});
