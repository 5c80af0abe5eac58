import { expect, test } from 'vitest';
import { decideReuse, isValidUntilNextRelease, RELEASE_TTL_MS } from '../../../src/client/cache/reuse.ts';

const NOW = 1_780_000_000_000;
const baseContext = {
  cached: { stamp: 'a', confirmedMs: NOW - 100_000 },
  isReusable: true,
  release: { stamp: 'a', at: NOW - 1000 },
  now: NOW,
  fresh: false,
  offline: false,
  maxAge: null,
};

test.each([
  ['the last known release equals that of the response', {}, { use: 'release' }],
  ['the last known release differs from that of the response', { release: { stamp: 'b', at: NOW } }, { ask: 'itself' }],
  [
    'the last known release was confirmed too long ago',
    { release: { stamp: 'a', at: NOW - RELEASE_TTL_MS } },
    { ask: 'release' },
  ],
  ['the last known release was confirmed in the future', { release: { stamp: 'a', at: NOW + 1 } }, { ask: 'release' }],
  ['no release is known', { release: null }, { ask: 'release' }],
  [
    'neither the response nor the last known release has a stamp',
    { cached: { stamp: null, confirmedMs: NOW }, release: { stamp: null, at: NOW } },
    { ask: 'itself' },
  ],
  ['the last known release has no stamp', { release: { stamp: null, at: NOW } }, { ask: 'itself' }],
  ['the response does not depend on the release alone', { isReusable: false }, { ask: 'itself' }],
  ['--fresh is set', { fresh: true }, { ask: 'itself' }],
  ['--offline is set', { offline: true, isReusable: false, release: null }, { use: 'offline' }],
  ['--max-age, and the response is recent enough', { isReusable: false, maxAge: 100_000 }, { use: 'max-age' }],
  ['--max-age, and the response is too old', { isReusable: false, maxAge: 99_999 }, { ask: 'itself' }],
  [
    '--max-age, and the response was confirmed in the future',
    { isReusable: false, maxAge: 10, cached: { stamp: 'a', confirmedMs: NOW + 5 } },
    { ask: 'itself' },
  ],
])('if %s: %3$o', (_, change, expected) => {
  expect(decideReuse({ ...baseContext, ...change })).toEqual(expected);
});

test.each([
  ['/v1/securities?query=apple', true],
  ['/v1/securities/AAPL/metrics?keys=revenue', true],
  ['/v1/metrics', true],
  ['/v1/securities/AAPL/metrics/revenue/lineage', true],
  ['/v1/securities/AAPL/metrics/revenue/revisions', true],
  ['/v1/securities/AAPL/raw-concepts', true],
  ['/v1/screen?where=revenue_yoy:gt:0.2&columns=revenue,fiscal_year', true],
  ['/v1/screen?where=revenue_yoy:gt:0.2', false],
  ['/v1/screen?where=pe:lt:10&columns=revenue', false],
  ['/v1/screen?sort=market_cap&columns=revenue', false],
  ['/v1/screen?columns=revenue,price_day', false],
  ['/v1/screen?where=revenue:gt:1&where=ps_ttm:lt:9&columns=revenue', false],
  ['/v1/securities/AAPL/profile', false],
  ['/v1/securities/AAPL/filings', false],
  ['/v1/filings/day', false],
  ['/v1/filings/0000320193-25-000079', false],
  ['/v1/insider-activity', false],
  ['/v1/securities/AAPL/holders', false],
  ['/v1/holders/1067983', false],
  ['/v1/securities/AAPL/segments', false],
  ['/v1/securities/AAPL/prices', false],
  ['/v1/release', false],
  ['/v1/unknown', false],
])('the answer of %s is valid until the next release: %s', (target, expected) => {
  expect(isValidUntilNextRelease(target)).toBe(expected);
});
