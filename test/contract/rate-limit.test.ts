import { expect, test } from 'vitest';
import {
  formatPolicies,
  formatRemainders,
  parseHttpDate,
  parsePolicies,
  parseRemainders,
  parseRetryAfter,
  readLimitHeaders,
} from '../../src/contract/rate-limit.ts';

/** Example headers from the text of the HTTP API. */
const POLICY_HEADER = '"minute";q=60;w=60, "month";q=20000, "concurrent";q=4;qu="concurrent-requests"';
const LIMIT_HEADER = '"minute";r=59;t=42, "month";r=19873;t=604800, "concurrent";r=3';

test('the interface’s examples are parsed, and formatted to the same text', () => {
  expect(parsePolicies(POLICY_HEADER)).toEqual([
    { name: 'minute', quota: 60, window: 60 },
    { name: 'month', quota: 20000 },
    { name: 'concurrent', quota: 4, unit: 'concurrent-requests' },
  ]);
  expect(parseRemainders(LIMIT_HEADER)).toEqual([
    { name: 'minute', remaining: 59, reset: 42 },
    { name: 'month', remaining: 19873, reset: 604800 },
    { name: 'concurrent', remaining: 3 },
  ]);
  expect(formatPolicies(parsePolicies(POLICY_HEADER))).toBe(POLICY_HEADER);
  expect(formatRemainders(parseRemainders(LIMIT_HEADER))).toBe(LIMIT_HEADER);
});

test('malformed items are ignored', () => {
  expect(
    parseRemainders('minute;r=1, "minute";r=-1, "a";r=1.5, "b";r=9999999999999999, "c", ;;,, "d";r=2;t=x'),
  ).toEqual([{ name: 'd', remaining: 2 }]);
  expect(parsePolicies('x'.repeat(1_000_000))).toEqual([]);
});

test.each([
  [
    'named policies',
    { 'ratelimit-policy': POLICY_HEADER, ratelimit: LIMIT_HEADER },
    3,
    { name: 'minute', remaining: 59, reset: 42 },
  ],
  [
    'one header',
    { 'ratelimit-policy': '60;w=60, 20000;w=2592000', ratelimit: 'limit=60, remaining=59, reset=42' },
    2,
    { name: 'minute', remaining: 59, reset: 42 },
  ],
  [
    'three headers',
    { 'ratelimit-limit': '60, 60;w=60', 'ratelimit-remaining': '59', 'ratelimit-reset': '42' },
    1,
    { name: 'minute', remaining: 59, reset: 42 },
  ],
  [
    'three headers with the prefix x-',
    { 'x-ratelimit-limit': '20000', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '604800' },
    1,
    { name: 'month', remaining: 7, reset: 604800 },
  ],
])('limits are read from %s', (_, headers, policyCount, firstRemainder) => {
  const { policies, remainders } = readLimitHeaders(headers as Record<string, string>);
  expect(policies).toHaveLength(policyCount);
  expect(remainders[0]).toEqual(firstRemainder);
});

test('headers without limits give no limits', () => {
  expect(readLimitHeaders({})).toEqual({ policies: [], remainders: [] });
  expect(readLimitHeaders({ ratelimit: 'x'.repeat(100_000), 'ratelimit-policy': ';w=1,' })).toEqual({
    policies: [],
    remainders: [],
  });
});

const NOW_MS = Date.UTC(2026, 4, 29, 12, 0, 0);

test('the three formats of an HTTP date are parsed', () => {
  for (const text of ['Fri, 29 May 2026 12:00:00 GMT', 'Friday, 29-May-26 12:00:00 GMT', 'Fri May 29 12:00:00 2026']) {
    expect(parseHttpDate(text)).toBe(NOW_MS);
  }
  for (const text of ['', '2026-05-29', 'Fri, 29 Mai 2026 12:00:00 GMT', '0']) expect(parseHttpDate(text)).toBeNull();
});

test('an HTTP date in Retry-After is relative to the service’s clock', () => {
  const headers = { 'retry-after': 'Fri, 29 May 2026 13:00:10 GMT', date: 'Fri, 29 May 2026 13:00:00 GMT' };
  expect(parseRetryAfter(headers, NOW_MS)).toBe(10_000);
  expect(parseRetryAfter({ 'retry-after': 'Fri, 29 May 2026 12:00:20 GMT' }, NOW_MS)).toBe(20_000);
  expect(parseRetryAfter({ 'retry-after': 'Fri, 29 May 2026 11:00:00 GMT' }, NOW_MS)).toBe(0);
  expect(parseRetryAfter({ 'retry-after': 'soon' }, NOW_MS)).toBeNull();
});
