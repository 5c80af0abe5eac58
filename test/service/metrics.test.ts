import { expect, test } from 'vitest';
import { METRIC_KEYS } from '../../src/contract/figures.ts';
import type { ReportedValue } from '../../src/figures/revisions/revision-chain.ts';
import { LATEST_FIGURES } from '../../src/store/schema/latest-figures.ts';
import { APPLE_ANNUAL } from '../commands/envelopes.ts';
import { body, serviceOf } from './ask.ts';
import { APPLE, APPLE_STATEMENTS, FILED } from './filed.ts';
import { memoryRelease } from './memory-release.ts';

interface Row {
  readonly metric_key: string;
  readonly end_date: string;
  readonly value: string;
  readonly value_kind: string;
  readonly period_kind: string;
  readonly statement: string | null;
}

const rows = async (query: string, ticker = 'AAPL'): Promise<Row[]> =>
  (await body(`/v1/securities/${ticker}/metrics?${query}`)).data;

test('a row has a value and all fields of its filing', async () => {
  const [row] = await rows('period=annual&keys=revenue');
  expect(row).toEqual(APPLE_ANNUAL[0]);
});

test('rows come by statement, then key, then the latest end first', async () => {
  const all = await rows('period=all');
  const order = all.map((row) => METRIC_KEYS.indexOf(row.metric_key));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  for (const key of METRIC_KEYS) {
    const ends = all.filter((row) => row.metric_key === key).map((row) => row.end_date);
    expect(ends).toEqual([...ends].sort().reverse());
  }
});

test('without keys the answer has the canonical metrics and no ratios', async () => {
  const keys = new Set((await rows('period=all')).map((row) => row.metric_key));
  expect([...keys].filter((key) => !METRIC_KEYS.includes(key))).toEqual([]);
  expect(keys).toContain('free_cash_flow');
});

test('a derived figure names its inputs, and the latest-filed of them as its source', async () => {
  const [row] = await rows('period=annual&keys=free_cash_flow');
  expect(row).toMatchObject({ value: '98767000000', value_kind: 'derived', revised: false });
});

test('the fourth quarter is the year less nine months', async () => {
  const [row] = await rows('period=quarterly&keys=revenue');
  expect(row).toMatchObject({ value: '102466000000', value_kind: 'derived', end_date: '2025-09-27' });
});

test('ratios are answered on request', async () => {
  const [row] = await rows('period=annual&keys=fcf_margin');
  expect(row).toMatchObject({ metric_key: 'fcf_margin', metric_label: 'Free cash flow margin', unit: 'pure' });
  // 98767 / 416161, rounded to ten decimals.
  expect(row?.value).toBe('0.2373288223');
});

test('a known metric without values gives an empty answer', async () => {
  expect(await rows('keys=dividends_paid')).toEqual([]);
  expect(await rows('', 'JPM')).toEqual([]);
});

test('the default period "latest" has one row per metric', async () => {
  const { data, meta } = await body('/v1/securities/AAPL/metrics');
  expect(meta).toMatchObject({ period: 'latest', collapse: false, limit: 25, ticker: 'AAPL' });
  const keys = data.map((row: Row) => row.metric_key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(data.find((row: Row) => row.metric_key === 'revenue')).toMatchObject({ end_date: '2025-09-27' });
});

test('latest figures are the stored ones, and figures as of a day or of other periods are derived', async () => {
  const place = { metricKey: 'revenue', unit: 'USD', start: '2024-09-29', end: '2025-09-27', periodKind: 'annual' };
  const filing = { accession: '0000320193-25-000079', rank: 1, kind: 'first', filed: '2025-10-31', form: '10-K' };
  const stored = { ...place, ...filing, fiscalYear: 2025, fiscalPeriod: 'FY', valueKind: 'reported' };
  const row = { cik: APPLE, ...stored, value: '1', confidence: '1', revisionCount: 2 };
  const families = new Map([[LATEST_FIGURES.name, [row, { ...row, metricKey: 'assets' }]]]);
  const service = serviceOf({ release: async () => memoryRelease({ ...FILED, families }) });
  const values = async (query: string): Promise<[string, string][]> => {
    const { data } = await body(`/v1/securities/AAPL/metrics?${query}`, { service });
    return data.map(({ metric_key: key, value }: Row) => [key, value]);
  };
  expect(await values('')).toEqual([
    ['revenue', '1'],
    ['assets', '1'],
  ]);
  expect(await values('keys=assets&collapse=true')).toEqual([['assets', '1']]);
  const { data } = await body('/v1/securities/AAPL/metrics?keys=revenue', { service });
  expect(data[0]).toMatchObject({
    statement: 'income',
    revised: true,
    revision_count: 2,
    read_from: { accession_number: filing.accession, revision_rank: 1, kind: 'first', form: '10-K' },
  });
  expect((await values('keys=revenue&period=annual'))[0]).toEqual(['revenue', '416161000000']);
  expect(await values('keys=revenue&as_of=2025-10-31')).toEqual([['revenue', '416161000000']]);
  expect((await values('keys=revenue,fcf_margin')).map(([key]) => key)).toEqual(['revenue', 'fcf_margin']);
});

test('as of a day, only values reported by then are read', async () => {
  const annual = (asOf: string) => rows(`period=annual&keys=revenue&as_of=${asOf}`);
  expect(await annual('2024-10-31')).toEqual([]);
  expect(await annual('2024-11-01')).toMatchObject([{ value: '391035000000' }]);
  expect((await annual('2025-10-31')).map((row) => row.value)).toEqual(['416161000000', '391035000000']);
  const eps = (asOf: string) => rows(`period=annual&keys=eps_diluted&as_of=${asOf}`);
  expect(await eps('2020-10-29')).toMatchObject([{ value: '11.89', read_from: { kind: 'first' } }]);
  expect(await eps('2020-10-30')).toMatchObject([{ value: '2.97', read_from: { kind: 're_expressed' } }]);
});

test('a derived figure is withheld as of a day on which an input was missing', async () => {
  expect(await rows('period=annual&keys=free_cash_flow&as_of=2024-10-31')).toEqual([]);
  expect(await rows('period=annual&keys=free_cash_flow&as_of=2024-11-01')).toMatchObject([{ value: '108807000000' }]);
});

test('current figures equal those as of today', async () => {
  const strip = (list: Row[]) => list.map(({ metric_key, end_date, value }) => ({ metric_key, end_date, value }));
  expect(strip(await rows('period=all&as_of=2026-11-21'))).toEqual(strip(await rows('period=all')));
});

test('revision counts include revisions only, not re-expressions for splits', async () => {
  expect(await rows('period=annual&keys=revenue', 'AEM')).toMatchObject([
    { value: '3869625000', revised: true, revision_count: 1, read_from: { kind: 'revised', revision_rank: 2 } },
  ]);
  expect(await rows('period=annual&keys=revenue&as_of=2022-12-31', 'AEM')).toMatchObject([
    { value: '3823878000', revised: false, revision_count: 0, read_from: { kind: 'first', revision_rank: 1 } },
  ]);
  expect(await rows('period=annual&keys=eps_diluted')).toMatchObject([{ revised: false, revision_count: 0 }]);
});

/** Returns a long history: Apple's annual revenue, repeated for `count` invented years. */
function longHistory(count: number) {
  const [model] = APPLE_STATEMENTS;
  if (model === undefined) throw new Error('the fixture is empty');
  const years = Array.from({ length: count }, (_, index): ReportedValue => {
    const year = 1000 + index;
    return { ...model, start: `${year}-01-01`, end: `${year}-12-31`, fiscalYear: year };
  });
  const release = memoryRelease({ ...FILED, statements: new Map([[APPLE, years]]) });
  return serviceOf({ release: async () => release });
}

test('the effective limit is 500 unless both keys and collapse are given', async () => {
  const service = longHistory(700);
  const answer = (query: string) => body(`/v1/securities/AAPL/metrics?period=annual&${query}`, { service });
  const sizes = await Promise.all(
    ['limit=600', 'limit=600&keys=revenue', 'limit=600&collapse=true', 'limit=600&keys=revenue&collapse=true'].map(
      async (query) => {
        const { data, meta } = await answer(query);
        return [data.length, meta.limit];
      },
    ),
  );
  expect(sizes).toEqual([
    [500, 500],
    [500, 500],
    [500, 500],
    [600, 600],
  ]);
  expect((await answer('keys=revenue&collapse=true&limit=5000')).data).toHaveLength(700);
  expect((await answer('')).data).toHaveLength(25);
});

test('collapse keeps one row of a metric, unit, period kind and end', async () => {
  const [model] = APPLE_STATEMENTS.filter((row) => row.periodKind === 'quarter');
  if (model === undefined) throw new Error('the fixture has lost its quarters');
  // One quarter with two start dates, because the fiscal calendar changed.
  const valuesWithTwoStarts = [model, { ...model, start: '2024-09-28' }];
  const release = memoryRelease({ ...FILED, statements: new Map([[APPLE, valuesWithTwoStarts]]) });
  const service = serviceOf({ release: async () => release });
  const answer = async (query: string) =>
    (await body(`/v1/securities/AAPL/metrics?period=all&keys=revenue&${query}`, { service })).data;
  expect(await answer('')).toHaveLength(2);
  expect(await answer('collapse=true')).toHaveLength(1);
});
