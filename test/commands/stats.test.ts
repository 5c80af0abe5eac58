import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeWaitingTime } from '../../src/commands/stats.ts';

test.each([
  ['no wait', [], 0],
  [
    'separate waits add up',
    [
      [0, 2],
      [5, 6],
    ],
    3,
  ],
  [
    'simultaneous waits count once',
    [
      [0, 4],
      [1, 3],
      [2, 6],
    ],
    6,
  ],
  ['a wait that was cut short ends with the command', [[8, 40]], 2],
] as const)('the time in which requests waited: %s', (_, waits, expected) => {
  expect(
    computeWaitingTime(
      waits.map(([start, end]) => ({ start, end })),
      10,
    ),
  ).toBe(expected);
});

test('requests never wait longer than the command takes', () => {
  const wait = fc.record({ start: fc.nat(100), length: fc.nat(100) });
  fc.assert(
    fc.property(fc.array(wait), (waits) => {
      const intervals = waits.map(({ start, length }) => ({ start, end: start + length }));
      expect(computeWaitingTime(intervals, 100)).toBeLessThanOrEqual(100);
    }),
  );
});
