import { expect, test } from 'vitest';
import { chartLines } from '../../src/output/chart.ts';

const days = (from: string, count: number, value: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.parse(from) + index * 86_400_000).toISOString().slice(0, 10),
    value: value(index),
  }));

test('a rising price rises from the lower left to the upper right, with its ends named', () => {
  const lines = chartLines(
    days('2026-01-01', 60, (index) => String(100 + index)),
    'per_share',
    46,
  );
  expect(lines).toHaveLength(9);
  expect(lines[0]).toMatch(/^159\.00 │ +[⠀-⣿]+$/);
  expect(lines[7]).toMatch(/^100\.00 │[⠀-⣿]+$/);
  expect(lines[8]).toBe('        2026-01-01                  2026-03-01');
  expect(Math.max(...lines.map((line) => line.length))).toBe(46);
});

test('days without a price are left open', () => {
  const [top] = chartLines(
    [
      { day: '2020-12-01', value: '5.00' },
      { day: '2020-12-02', value: '5.00' },
      { day: '2026-01-30', value: '5.00' },
    ],
    'per_share',
    60,
  ).filter((line) => /[⠁-⣿]/.test(line));
  expect(top).toMatch(/^ +│[⠁-⣿] {40,}[⠁-⣿]$/);
});

test('heights come from the digits, however many there are', () => {
  const lines = chartLines(
    [
      { day: '2026-01-01', value: '0.00000000000000000001' },
      { day: '2026-01-31', value: '0.00000000000000000003' },
    ],
    'per_share',
    60,
  );
  expect(lines[0]).toMatch(/[⠁-⣿]$/);
  expect(lines[7]).toMatch(/│[⠁-⣿]$/);
});

test('one day, no day or no room makes no chart', () => {
  expect(chartLines([], 'per_share', 80)).toEqual([]);
  expect(chartLines([{ day: '2026-01-01', value: '1' }], 'per_share', 80)).toEqual([]);
  expect(chartLines(days('2026-01-01', 9, String), 'per_share', 20)).toEqual([]);
});
