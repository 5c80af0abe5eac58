import { expect, test } from 'vitest';
import { askBody, expectRefusal, makeService } from './ask.ts';
import { RELEASE_ROWS } from './filed.ts';
import { makeMemoryRelease } from './memory-release.ts';

const searchTickers = async (query: string): Promise<string[]> =>
  (await askBody(`/v1/securities?query=${encodeURIComponent(query)}`)).data.map(
    (hit: { ticker: string }) => hit.ticker,
  );

test('an exact ticker comes first, then tickers with this prefix', async () => {
  expect(await searchTickers('goog')).toEqual(['GOOG', 'GOOGL']);
  expect(await searchTickers('JPM')).toEqual(['JPM', 'JPM-PC']);
  expect(await searchTickers('A')).toEqual(['AAPL', 'AEM', 'GOOGL', 'GOOG']);
  expect(await searchTickers('brk.b')).toEqual(['BRK-B']);
});

test('a name is found by the beginnings of its words, in any case, the primary share first', async () => {
  expect(await searchTickers('apple')).toEqual(['AAPL']);
  expect(await searchTickers('eagle agn')).toEqual(['AEM']);
  expect(await searchTickers('morgan')).toEqual([]);
  expect(await searchTickers('alphabet inc.')).toEqual(['GOOGL', 'GOOG']);
});

test('inactive securities are not found', async () => {
  expect(await searchTickers('BRKOLD')).toEqual([]);
  expect(await searchTickers('berkshire')).toEqual(['BRK-B']);
});

test('a search without results is an empty answer, also for a query of spaces', async () => {
  expect(await searchTickers('zzzz')).toEqual([]);
  expect(await searchTickers('  ')).toEqual([]);
});

test('a search returns at most "limit" hits', async () => {
  const { data, meta } = await askBody('/v1/securities?query=j&limit=1');
  expect(data).toEqual([
    {
      ticker: 'JPM',
      ticker_normalized: 'JPM',
      exchange: 'NYSE',
      cik: 19617,
      entity_name: 'JPMORGAN CHASE & CO',
      security_coverage_state: 'covered',
      company_coverage_state: 'covered',
    },
  ]);
  expect(meta).toMatchObject({ limit: 1, query: 'j' });
});

test('a profile has the security and its company, and a null price if the release has no prices', async () => {
  const { data, meta } = await askBody('/v1/securities/aapl/profile');
  expect(data).toEqual({
    security_id: 'dea5bb1c-20ca-56ae-a862-59f9f2590066',
    ticker: 'AAPL',
    ticker_normalized: 'AAPL',
    exchange: 'Nasdaq',
    is_primary: true,
    is_active: true,
    security_coverage_state: 'covered',
    cik: 320193,
    entity_name: 'Apple Inc.',
    company_coverage_state: 'covered',
    filing_count: 1000,
    raw_fact_count: 24852,
    metric_value_count: 11,
    latest_filing_at: '2026-05-01',
    price: null,
  });
  expect(meta.attribution).toBeUndefined();
});

test.each(['profile', 'metrics', 'raw-concepts', 'metrics/revenue/lineage', 'metrics/revenue/revisions'])(
  'an unknown ticker is answered 404 by %s',
  async (subpath) => {
    const problem = await expectRefusal(`/v1/securities/AAPLE/${subpath}`, 404);
    expect(problem.detail).toBe('No company in this release has the ticker "AAPLE". Did you mean AAPL?');
  },
);

test.each(['NASDAQ:AAPL', 'nasdaq:aapl', 'AAPL.US', 'AAPL US Equity'])(
  'a ticker quoted with its exchange suggests the ticker: %s',
  async (quotation) => {
    const { detail } = await expectRefusal(`/v1/securities/${encodeURIComponent(quotation)}/profile`, 404);
    expect(detail).toBe(`No company in this release has the ticker "${quotation}". Did you mean AAPL?`);
  },
);

test('raw concepts are sorted by number of facts, largest first', async () => {
  const { data } = await askBody('/v1/securities/AAPL/raw-concepts');
  expect(data.map((row: { concept: string }) => row.concept)).toEqual(['Assets', 'EntityPublicFloat']);
  expect(data[0]).toEqual({
    ticker: 'AAPL',
    exchange: 'Nasdaq',
    cik: 320193,
    entity_name: 'Apple Inc.',
    taxonomy: 'us-gaap',
    concept: 'Assets',
    unit: 'USD',
    fact_count: 142,
    earliest_end_date: '2008-09-27',
    latest_end_date: '2026-03-28',
  });
  expect((await askBody('/v1/securities/AAPL/raw-concepts?limit=1')).data).toHaveLength(1);
});

/** A release with former names from Apple's and Alphabet's submissions; the former tickers are invented. */
const releaseWithFormerNames = makeMemoryRelease({
  ...RELEASE_ROWS,
  // A separate manifest object, so that this release has another identity than the release of the other tests.
  manifest: { ...RELEASE_ROWS.manifest },
  families: new Map<string, readonly unknown[]>([
    [
      'former_names',
      [
        { cik: 320193, name: 'APPLE COMPUTER INC', from: '1994-01-26', to: '2007-01-04' },
        { cik: 1652044, name: 'Google Computing', from: null, to: null },
      ],
    ],
    [
      'former_tickers',
      [{ cik: 320193, symbol: 'APPLEA', tickerNormalized: 'AAPL', firstDay: '2001-01-02', lastDay: '2006-12-29' }],
    ],
  ]),
});
const formerNameOptions = { service: makeService({ release: async () => releaseWithFormerNames }) };

test('hits by a former name or ticker come after hits by current ones', async () => {
  const searchWithFormerNames = async (query: string) =>
    (await askBody(`/v1/securities?query=${query}`, formerNameOptions)).data.map(
      (hit: { ticker: string }) => hit.ticker,
    );
  expect(await searchWithFormerNames('comput')).toEqual(['AAPL', 'GOOGL', 'GOOG']);
  expect(await searchWithFormerNames('computer')).toEqual(['AAPL']);
  expect(await searchWithFormerNames('applea')).toEqual(['AAPL']);
  // A former ticker matches only as a whole; other texts return similar names, marked as approximate.
  expect((await askBody('/v1/securities?query=applE-x', formerNameOptions)).data).toMatchObject([
    { ticker: 'AAPL', approximate: true },
  ]);
  expect((await askBody('/v1/securities?query=comput&limit=1', formerNameOptions)).data).toHaveLength(1);
});

test('a former ticker, or a former name as ticker, is answered 404 with the current ticker', async () => {
  const fetchRefusalDetail = async (ticker: string): Promise<string> =>
    (await expectRefusal(`/v1/securities/${ticker}/metrics`, 404, formerNameOptions)).detail;
  expect(await fetchRefusalDetail('applea')).toBe(
    'No company in this release has the ticker "applea". "APPLEA" was the ticker of Apple Inc. until at least 2006-12-29; the ticker is now AAPL.',
  );
  expect(await fetchRefusalDetail('apple%20computer')).toContain(
    'APPLE COMPUTER INC is now Apple Inc., whose ticker is AAPL.',
  );
  expect(await fetchRefusalDetail('computing%20xyz')).not.toContain('Google');
});
