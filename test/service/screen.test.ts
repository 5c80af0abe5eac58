import { expect, test } from 'vitest';
import { DEFAULT_COLUMNS } from '../../src/contract/screen-columns.ts';
import { askBody } from './ask.ts';

const screenTickers = async (query: string): Promise<string[]> =>
  (await askBody(`/v1/screen?${query}`)).data.map((row: { ticker: string }) => row.ticker);

test('without "columns" a row has every figure, with "columns" the company and the requested figures', async () => {
  const [rowWithAllColumns] = (await askBody('/v1/screen?limit=1')).data;
  expect(Object.keys(rowWithAllColumns)).toEqual(['cik', 'ticker', 'exchange', 'entity_name', ...DEFAULT_COLUMNS]);
  const [row] = (await askBody('/v1/screen?limit=1&columns=annual_end_date,revenue,coverage_state,fiscal_year')).data;
  expect(row).toEqual({
    cik: 320193,
    ticker: 'AAPL',
    exchange: 'Nasdaq',
    entity_name: 'Apple Inc.',
    annual_end_date: '2025-09-27',
    revenue: '416161000000',
    coverage_state: 'covered',
    fiscal_year: 2025,
  });
});

test('rows are in order of ticker by default', async () => {
  expect(await screenTickers('')).toEqual(['AAPL', 'AEM', 'GOOGL', 'JPM', 'MSFT']);
  expect(await screenTickers('dir=desc')).toEqual(['MSFT', 'JPM', 'GOOGL', 'AEM', 'AAPL']);
});

test('rows without the sorted figure come last in either direction, in order of ticker', async () => {
  expect(await screenTickers('sort=assets&columns=assets')).toEqual(['AAPL', 'MSFT', 'JPM', 'AEM', 'GOOGL']);
  expect(await screenTickers('sort=assets&dir=desc')).toEqual(['JPM', 'MSFT', 'AAPL', 'AEM', 'GOOGL']);
});

test('rows with equal figures are in order of ticker, in either direction', async () => {
  expect(await screenTickers('sort=fiscal_year')).toEqual(['AEM', 'GOOGL', 'JPM', 'MSFT', 'AAPL']);
  expect(await screenTickers('sort=fiscal_year&dir=desc')).toEqual(['AAPL', 'GOOGL', 'JPM', 'MSFT', 'AEM']);
});

test('figures are compared exactly, as decimals', async () => {
  expect(await screenTickers('where=revenue:gte:245122000000')).toContain('MSFT');
  expect(await screenTickers('where=revenue:gt:245122000000')).not.toContain('MSFT');
  expect(await screenTickers('where=revenue:lte:245122000000.000')).toContain('MSFT');
  expect(await screenTickers('where=revenue:gt:245121999999.9999999999999999999')).toContain('MSFT');
  expect(await screenTickers('where=revenue_yoy:lt:-1')).toEqual([]);
  expect(await screenTickers('where=fiscal_year:gte:2025')).toEqual(['AAPL']);
});

test('a company without a filtered figure is set aside and counted, whatever other filter it fails', async () => {
  const { data, meta } = await askBody(
    '/v1/screen?where=gross_profit:gt:0&where=revenue_yoy:gt:0.15&set_aside_by=true',
  );
  expect(data.map((row: { ticker: string }) => row.ticker)).toEqual(['MSFT']);
  // AEM lacks gross profit, JPM lacks both filtered figures; AAPL and GOOGL fail the second clause.
  const setAsideCounts = [
    { column: 'gross_profit', companies: 2 },
    { column: 'revenue_yoy', companies: 1 },
  ];
  expect(meta).toMatchObject({ total: 1, set_aside: 2, set_aside_by: setAsideCounts, universe: 5 });
  const plain = await askBody('/v1/screen?where=gross_profit:gt:0&where=revenue_yoy:gt:0.15');
  expect(plain.meta).not.toHaveProperty('set_aside_by');
});

test('missing_by counts the companies of all pages that lack the sorted and each shown figure', async () => {
  const { data, meta } = await askBody(
    '/v1/screen?sort=gross_profit&columns=revenue_yoy,fiscal_year&limit=1&missing_by=true',
  );
  expect(data).toHaveLength(1);
  // AEM and JPM lack gross profit, JPM also lacks growth.
  const missing = [
    { column: 'gross_profit', companies: 2 },
    { column: 'revenue_yoy', companies: 1 },
  ];
  expect(meta).toMatchObject({ total: 5, missing_by: missing });
  const filtered = await askBody('/v1/screen?where=revenue_yoy:gt:-1&columns=gross_profit&missing_by=true');
  expect(filtered.meta).toMatchObject({ total: 4, missing_by: [{ column: 'gross_profit', companies: 1 }] });
  expect((await askBody('/v1/screen?sort=gross_profit')).meta).not.toHaveProperty('missing_by');
});

test('universe is the number of all companies, with and without filters', async () => {
  const { meta } = await askBody('/v1/screen?where=revenue:gt:300000000000');
  expect(meta).toMatchObject({ total: 2, set_aside: 0, universe: 5 });
  expect((await askBody('/v1/screen')).meta).toMatchObject({ total: 5, set_aside: 0, universe: 5 });
});

test('limit and offset choose a page, and total counts all rows', async () => {
  expect(await screenTickers('limit=2&offset=1')).toEqual(['AEM', 'GOOGL']);
  expect(await screenTickers('offset=5')).toEqual([]);
  expect((await askBody('/v1/screen?limit=1&offset=4')).meta).toMatchObject({ total: 5, limit: 1, offset: 4 });
});

test('contradicting filters on one column all apply', async () => {
  expect(await screenTickers('where=revenue:gt:200000000000&where=revenue:lt:300000000000')).toEqual(['MSFT']);
});
