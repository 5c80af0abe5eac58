import { expect, test } from 'vitest';
import { parsePolicies, parseRemainders, printPolicies, printRemainders } from '../../src/contract/rate-limit.ts';

/** The interface's own examples. */
const POLICY = '"minute";q=60;w=60, "month";q=20000, "concurrent";q=4;qu="concurrent-requests"';
const REMAINING = '"minute";r=59;t=42, "month";r=19873;t=604800, "concurrent";r=3';

test('the interface’s examples are read, and printed again as they were', () => {
  expect(parsePolicies(POLICY)).toEqual([
    { name: 'minute', quota: 60, window: 60 },
    { name: 'month', quota: 20000 },
    { name: 'concurrent', quota: 4, unit: 'concurrent-requests' },
  ]);
  expect(parseRemainders(REMAINING)).toEqual([
    { name: 'minute', remaining: 59, reset: 42 },
    { name: 'month', remaining: 19873, reset: 604800 },
    { name: 'concurrent', remaining: 3 },
  ]);
  expect(printPolicies(parsePolicies(POLICY))).toBe(POLICY);
  expect(printRemainders(parseRemainders(REMAINING))).toBe(REMAINING);
});

test('what is not of the form is passed over, not believed', () => {
  expect(
    parseRemainders('minute;r=1, "minute";r=-1, "a";r=1.5, "b";r=9999999999999999, "c", ;;,, "d";r=2;t=x'),
  ).toEqual([{ name: 'd', remaining: 2 }]);
  expect(parsePolicies('x'.repeat(1_000_000))).toEqual([]);
});
