import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { ask, askBody, BASE_URL, expectRefusal } from './ask.ts';

test.each([
  '/',
  '/v1',
  '/v1/',
  '/v2/release',
  '/v1/releases',
  '/v1/release/',
  '/v1//release',
  '/V1/RELEASE',
  '/v1/securities//profile',
  '/v1/securities/AAPL',
  '/health',
])('the path %s is answered 404', async (path) => {
  expect((await expectRefusal(path, 404)).code).toBe('not_found');
});

test('the answer to a misspelled path suggests the correct path', async () => {
  expect((await expectRefusal('/v1/releese', 404)).detail).toContain('/v1/release');
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'get'])(
  '%s is answered 405 with Allow',
  async (method) => {
    for (const { path } of OPERATIONS) {
      const answer = await ask(path.replace(/\{\w+\}/g, 'x'), { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('GET');
    }
  },
);

test('the method is checked before the path, and the path before the parameters', async () => {
  await expectRefusal('/v1/nothing', 405, { method: 'POST' });
  await expectRefusal('/v1/nothing?limit=0', 404);
  await expectRefusal('/v1/screen?limit=0', 405, { method: 'POST' });
});

test.each([
  ['/v1/screen?limit=0', 'limit'],
  ['/v1/screen?limit=501', 'limit'],
  ['/v1/screen?limit=1e2', 'limit'],
  ['/v1/screen?limit=', 'limit'],
  ['/v1/screen?limit', 'limit'],
  ['/v1/screen?offset=1000001', 'offset'],
  ['/v1/screen?sort=revenu', 'sort'],
  ['/v1/screen?dir=up', 'dir'],
  ['/v1/screen?columns=revenue,', 'columns'],
  ['/v1/screen?where=revenue', 'where'],
  ['/v1/screen?where=revenue:gt:1e5', 'where'],
  [`/v1/screen?where=revenue:gt:${'1'.repeat(33)}`, 'where'],
  ['/v1/screen?where=price_day:gt:1', 'where'],
  ['/v1/screen?as_of=2024-02-30', 'as_of'],
  ['/v1/screen?limit=5&limit=5', 'limit'],
  ['/v1/securities', 'query'],
  ['/v1/securities?query=', 'query'],
  ['/v1/securities/AAPL/metrics?keys=revenu', 'keys'],
  ['/v1/securities/AAPL/metrics?keys=', 'keys'],
  ['/v1/securities/AAPL/metrics?limit=5001', 'limit'],
  ['/v1/securities/AAPL/metrics?collapse=yes', 'collapse'],
  ['/v1/securities/AAPL/metrics?as_of=2024-02-30', 'as_of'],
  ['/v1/securities/AAPL/metrics?period=monthly', 'period'],
  ['/v1/securities/AAPL/profile?as_of=2024-01-01', 'as_of'],
  ['/v1/securities/AAPL/metrics/revenue/lineage?metric_value_id=1', 'metric_value_id'],
  ['/v1/securities/AAPL/metrics/revenue/revisions?fiscal_period=Q5', 'fiscal_period'],
  ['/v1/securities/AAPL/metrics?keys=revenue,market_cap', 'market_cap'],
  ['/v1/securities/AAPL/metrics?keys=fiscal_year', 'fiscal_year'],
  ['/v1/securities/AAPL/metrics/revenue/revisions?fiscal_year=x', 'fiscal_year'],
  ['/v1/filings/0000320193', 'accession'],
  ['/v1/holders/abc', 'cik'],
  ['/v1/release?query=x', 'query'],
])('%s is answered 400 with a detail that names %s', async (target, name) => {
  const problem = await expectRefusal(target, 400);
  expect(problem).toMatchObject({ code: 'bad_request', type: `${BASE_URL}/problems#bad_request` });
  expect(problem.detail).toContain(name);
});

test('one problem names every fault of a question', async () => {
  const { detail } = await expectRefusal('/v1/screen?limit=0&offset=-1&sort=x&nonsense=1', 400);
  for (const name of ['limit', 'offset', 'sort', 'nonsense']) expect(detail).toContain(name);
});

test.each([
  ['/v1/screen?where=%', 'where'],
  ['/v1/screen?where=%E0%A4', 'where'],
  ['/v1/screen?%ff=1', 'parameter name'],
  ['/v1/securities/%/profile', 'ticker'],
  ['/v1/securities/%C0%AF/profile', 'ticker'],
])('malformed percent-encoding in %s is answered 400', async (target, name) => {
  const { detail } = await expectRefusal(target, 400);
  expect(detail).toContain('percent-encoding');
  expect(detail).toContain(name);
});

test('at most 64 clauses are accepted', async () => {
  const makeWhereQuery = (count: number) => Array.from({ length: count }, () => 'where=revenue:gt:1').join('&');
  expect((await ask(`/v1/screen?${makeWhereQuery(64)}`)).status).toBe(200);
  expect((await expectRefusal(`/v1/screen?${makeWhereQuery(65)}`, 400)).detail).toContain('64');
  await expectRefusal(`/v1/screen?${makeWhereQuery(800)}`, 400);
});

test('a URL of 20,000 characters is answered 400', async () => {
  expect((await expectRefusal(`/v1/securities?query=${'a'.repeat(20_000)}`, 400)).detail).toContain('URL');
});

test('a plus in a query is a space, and an empty query is ignored', async () => {
  expect((await ask('/v1/securities?query=jpmorgan+chase')).body).toContain('"ticker":"JPM"');
  expect((await ask('/v1/release?')).status).toBe(200);
  expect((await ask('/v1/release?&')).status).toBe(200);
});

test('untrusted text in a message is sanitized', async () => {
  const { detail } = await expectRefusal('/v1/screen?sort=%1B%5B31m', 400);
  expect(detail).not.toMatch(/\p{Cc}/u);
});

test('an unknown parameter is not explained by a parameter of the path, which is already given', async () => {
  const { detail } = await expectRefusal('/v1/securities/AAPL/insider-activity?tickers=AAPL', 400);
  expect(detail).toBe(
    '"tickers" is not a parameter of /v1/securities/{ticker}/insider-activity. Parameters: since, kind, limit, offset.',
  );
});

test('the catalog lists figures of the screener, which have no lineage and no revisions', async () => {
  const { data } = await askBody('/v1/metrics');
  expect(data.map(({ key }: { key: string }) => key)).toContain('market_cap');
  for (const part of ['lineage', 'revisions']) {
    const { detail } = await expectRefusal(`/v1/securities/AAPL/metrics/market_cap/${part}`, 404);
    expect(detail).toContain('available only in the screener');
  }
});
