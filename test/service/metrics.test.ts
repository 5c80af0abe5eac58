import { expect, test } from 'vitest';
import { METRIC_KEYS } from '../../src/contract/figures.ts';
import type { ReportedValue } from '../../src/figures/revisions/revision-chain.ts';
import { LATEST_FIGURES } from '../../src/store/schema/reported-values.ts';
import { APPLE_ANNUAL_FIGURES } from '../questions/envelopes.ts';
import { askBody, makeService } from './ask.ts';
import { APPLE_CIK, APPLE_REPORTED_VALUES, RELEASE_ROWS } from './filed.ts';
import { makeMemoryRelease } from './memory-release.ts';

interface MetricRow {
  readonly metric_key: string;
  readonly end_date: string;
  readonly value: string;
  readonly value_kind: string;
  readonly period_kind: string;
  readonly statement: string | null;
}

const askMetrics = async (query: string, ticker = 'AAPL'): Promise<MetricRow[]> =>
  (await askBody(`/v1/securities/${ticker}/metrics?${query}`)).data;

test('a row of metrics has its value, its period and all fields of its filing', async () => {
  const [row] = await askMetrics('period=annual&keys=revenue');
  expect(row).toEqual(APPLE_ANNUAL_FIGURES[0]);
});

test('rows are sorted by statement and key, then by end date, latest first', async () => {
  const allRows = await askMetrics('period=all');
  const keyPositions = allRows.map((row) => METRIC_KEYS.indexOf(row.metric_key));
  expect(keyPositions).toEqual([...keyPositions].sort((a, b) => a - b));
  for (const key of METRIC_KEYS) {
    const endDates = allRows.filter((row) => row.metric_key === key).map((row) => row.end_date);
    expect(endDates).toEqual([...endDates].sort().reverse());
  }
});

test('without keys the answer has the canonical metrics and no ratios', async () => {
  const keys = new Set((await askMetrics('period=all')).map((row) => row.metric_key));
  expect([...keys].filter((key) => !METRIC_KEYS.includes(key))).toEqual([]);
  expect(keys).toContain('free_cash_flow');
});

test('free cash flow is operating cash flow less capital expenditures, and is marked as derived', async () => {
  const [row] = await askMetrics('period=annual&keys=free_cash_flow');
  expect(row).toMatchObject({ value: '98767000000', value_kind: 'derived', revised: false });
});

test('the fourth quarter is the year less nine months', async () => {
  const [row] = await askMetrics('period=quarterly&keys=revenue');
  expect(row).toMatchObject({ value: '102466000000', value_kind: 'derived', end_date: '2025-09-27' });
});

test('ratios are answered on request', async () => {
  const [row] = await askMetrics('period=annual&keys=fcf_margin');
  expect(row).toMatchObject({ metric_key: 'fcf_margin', metric_label: 'Free cash flow margin', unit: 'pure' });
  // 98767 / 416161, rounded to ten decimals.
  expect(row?.value).toBe('0.2373288223');
});

test('a known metric without values gives an empty answer', async () => {
  expect(await askMetrics('keys=dividends_paid')).toEqual([]);
  expect(await askMetrics('', 'JPM')).toEqual([]);
});

test('the default period "latest" has one row per metric', async () => {
  const { data, meta } = await askBody('/v1/securities/AAPL/metrics');
  expect(meta).toMatchObject({ period: 'latest', collapse: false, limit: 25, ticker: 'AAPL' });
  const keys = data.map((row: MetricRow) => row.metric_key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(data.find((row: MetricRow) => row.metric_key === 'revenue')).toMatchObject({ end_date: '2025-09-27' });
});

test('latest figures are read from their table, and figures as of a day or of other periods are derived', async () => {
  const figureContext = {
    metricKey: 'revenue',
    unit: 'USD',
    start: '2024-09-29',
    end: '2025-09-27',
    periodKind: 'annual',
  };
  const filing = { accession: '0000320193-25-000079', rank: 1, kind: 'first', filed: '2025-10-31', form: '10-K' };
  const storedFields = { ...figureContext, ...filing, fiscalYear: 2025, fiscalPeriod: 'FY', valueKind: 'reported' };
  const storedRow = { cik: APPLE_CIK, ...storedFields, value: '1', confidence: '1', revisionCount: 2 };
  const families = new Map([[LATEST_FIGURES.name, [storedRow, { ...storedRow, metricKey: 'assets' }]]]);
  const service = makeService({ release: async () => makeMemoryRelease({ ...RELEASE_ROWS, families }) });
  const askValues = async (query: string): Promise<[string, string][]> => {
    const { data } = await askBody(`/v1/securities/AAPL/metrics?${query}`, { service });
    return data.map(({ metric_key: key, value }: MetricRow) => [key, value]);
  };
  expect(await askValues('')).toEqual([
    ['revenue', '1'],
    ['assets', '1'],
  ]);
  expect(await askValues('keys=assets&collapse=true')).toEqual([['assets', '1']]);
  const { data } = await askBody('/v1/securities/AAPL/metrics?keys=revenue', { service });
  expect(data[0]).toMatchObject({
    statement: 'income',
    revised: true,
    revision_count: 2,
    read_from: { accession_number: filing.accession, revision_rank: 1, kind: 'first', form: '10-K' },
  });
  expect((await askValues('keys=revenue&period=annual'))[0]).toEqual(['revenue', '416161000000']);
  expect(await askValues('keys=revenue&as_of=2025-10-31')).toEqual([['revenue', '416161000000']]);
  expect((await askValues('keys=revenue,fcf_margin')).map(([key]) => key)).toEqual(['revenue', 'fcf_margin']);
});

test('as of a day, only values reported by then are read', async () => {
  const askAnnualRevenue = (asOf: string) => askMetrics(`period=annual&keys=revenue&as_of=${asOf}`);
  expect(await askAnnualRevenue('2024-10-31')).toEqual([]);
  expect(await askAnnualRevenue('2024-11-01')).toMatchObject([{ value: '391035000000' }]);
  expect((await askAnnualRevenue('2025-10-31')).map((row) => row.value)).toEqual(['416161000000', '391035000000']);
  const askAnnualEps = (asOf: string) => askMetrics(`period=annual&keys=eps_diluted&as_of=${asOf}`);
  expect(await askAnnualEps('2020-10-29')).toMatchObject([{ value: '11.89', read_from: { kind: 'first' } }]);
  expect(await askAnnualEps('2020-10-30')).toMatchObject([{ value: '2.97', read_from: { kind: 're_expressed' } }]);
});

test('a derived figure is withheld as of a day on which an input was missing', async () => {
  expect(await askMetrics('period=annual&keys=free_cash_flow&as_of=2024-10-31')).toEqual([]);
  expect(await askMetrics('period=annual&keys=free_cash_flow&as_of=2024-11-01')).toMatchObject([
    { value: '108807000000' },
  ]);
});

test('current figures equal the figures as of today', async () => {
  const pickComparedFields = (metricRows: MetricRow[]) =>
    metricRows.map(({ metric_key, end_date, value }) => ({ metric_key, end_date, value }));
  expect(pickComparedFields(await askMetrics('period=all&as_of=2026-11-21'))).toEqual(
    pickComparedFields(await askMetrics('period=all')),
  );
});

test('revision counts include revisions only, not re-expressions for splits', async () => {
  expect(await askMetrics('period=annual&keys=revenue', 'AEM')).toMatchObject([
    { value: '3869625000', revised: true, revision_count: 1, read_from: { kind: 'revised', revision_rank: 2 } },
  ]);
  expect(await askMetrics('period=annual&keys=revenue&as_of=2022-12-31', 'AEM')).toMatchObject([
    { value: '3823878000', revised: false, revision_count: 0, read_from: { kind: 'first', revision_rank: 1 } },
  ]);
  expect(await askMetrics('period=annual&keys=eps_diluted')).toMatchObject([{ revised: false, revision_count: 0 }]);
});

/** Returns a service whose release has Apple's annual revenue in `yearCount` invented years. */
function makeLongHistoryService(yearCount: number) {
  const [modelValue] = APPLE_REPORTED_VALUES;
  if (modelValue === undefined) throw new Error('the fixture is empty');
  const yearValues = Array.from({ length: yearCount }, (_, index): ReportedValue => {
    const year = 1000 + index;
    return { ...modelValue, start: `${year}-01-01`, end: `${year}-12-31`, fiscalYear: year };
  });
  const release = makeMemoryRelease({ ...RELEASE_ROWS, statements: new Map([[APPLE_CIK, yearValues]]) });
  return makeService({ release: async () => release });
}

test('the effective limit is 500 unless both keys and collapse are given', async () => {
  const service = makeLongHistoryService(700);
  const askAnnual = (query: string) => askBody(`/v1/securities/AAPL/metrics?period=annual&${query}`, { service });
  const countsAndLimits = await Promise.all(
    ['limit=600', 'limit=600&keys=revenue', 'limit=600&collapse=true', 'limit=600&keys=revenue&collapse=true'].map(
      async (query) => {
        const { data, meta } = await askAnnual(query);
        return [data.length, meta.limit];
      },
    ),
  );
  expect(countsAndLimits).toEqual([
    [500, 500],
    [500, 500],
    [500, 500],
    [600, 600],
  ]);
  expect((await askAnnual('keys=revenue&collapse=true&limit=5000')).data).toHaveLength(700);
  expect((await askAnnual('')).data).toHaveLength(25);
});

test('collapse keeps one row of a metric, unit, period kind and end', async () => {
  const [quarterValue] = APPLE_REPORTED_VALUES.filter((row) => row.periodKind === 'quarter');
  if (quarterValue === undefined) throw new Error('the fixture has lost its quarters');
  // One quarter with two start dates, because the fiscal calendar changed.
  const valuesWithTwoStarts = [quarterValue, { ...quarterValue, start: '2024-09-28' }];
  const release = makeMemoryRelease({ ...RELEASE_ROWS, statements: new Map([[APPLE_CIK, valuesWithTwoStarts]]) });
  const service = makeService({ release: async () => release });
  const askRevenue = async (query: string) =>
    (await askBody(`/v1/securities/AAPL/metrics?period=all&keys=revenue&${query}`, { service })).data;
  expect(await askRevenue('')).toHaveLength(2);
  expect(await askRevenue('collapse=true')).toHaveLength(1);
});
