import { expect, test } from 'vitest';
import { FIGURES, formatFormula, METRIC_KEYS } from '../../src/contract/figures.ts';
import { askBody, expectRefusal } from './ask.ts';

const REVENUE_2025_ID = '37d6cc25-8168-5dba-8ba2-a9139864d50c';
const UNKNOWN_VALUE_ID = '00000000-0000-5000-8000-000000000000';

const askLineage = (key: string, query = '', ticker = 'AAPL') =>
  askBody(`/v1/securities/${ticker}/metrics/${key}/lineage?${query}`);
const askRevisions = (key: string, query = '', ticker = 'AAPL') =>
  askBody(`/v1/securities/${ticker}/metrics/${key}/revisions?${query}`);

test('the lineage of a reported value is its XBRL fact in the filing', async () => {
  const { data, meta } = await askLineage('revenue', `metric_value_id=${REVENUE_2025_ID}`);
  expect(data).toEqual([
    {
      metric_value_id: REVENUE_2025_ID,
      cik: 320193,
      entity_name: 'Apple Inc.',
      ticker: 'AAPL',
      exchange: 'Nasdaq',
      metric_key: 'revenue',
      metric_label: 'Revenue',
      metric_value: '416161000000',
      metric_unit: 'USD',
      period_kind: 'annual',
      start_date: '2024-09-29',
      end_date: '2025-09-27',
      fiscal_year: 2025,
      fiscal_period: 'FY',
      role: 'value',
      raw_fact_id: '475186ab-b4f2-5de2-9ee8-9df24e3322a5',
      taxonomy: 'us-gaap',
      concept: 'RevenueFromContractWithCustomerExcludingAssessedTax',
      raw_unit: 'USD',
      raw_value: '416161000000',
      frame: null,
      accession_number: '0000320193-25-000079',
      form: '10-K',
      filed_at: '2025-10-31',
      raw_ingestion_run_id: null,
      source_payload_id: null,
    },
  ]);
  // `meta` has no field for metric_value_id.
  expect(meta).toMatchObject({ ticker: 'AAPL', metric_key: 'revenue', limit: 25 });
  expect(Object.keys(meta)).not.toContain('metric_value_id');
});

test('lineage of a derived value has one row per input, with its role', async () => {
  const { data } = await askLineage('free_cash_flow', 'limit=2');
  expect(data).toMatchObject([
    { role: 'minuend', raw_value: '111482000000', metric_value: '98767000000' },
    { role: 'subtrahend', raw_value: '12715000000', metric_value: '98767000000' },
  ]);
  expect(data[0].metric_value_id).toBe(data[1].metric_value_id);
});

test('lineage of a ratio has its numerator and denominator', async () => {
  const { data } = await askLineage('fcf_margin', 'limit=3');
  expect(data.map((row: { role: string }) => row.role)).toEqual(['numerator', 'numerator', 'denominator']);
});

test('lineage as of a day has the filing that was the latest on that day', async () => {
  const { data } = await askLineage('revenue', 'as_of=2022-12-31', 'AEM');
  expect(data).toMatchObject([{ raw_value: '3823878000', accession_number: '0001104659-22-037577' }]);
  expect((await askLineage('revenue', 'as_of=2022-03-24', 'AEM')).data).toEqual([]);
});

test('revisions list the filings of a value in order, and the changes', async () => {
  const { data } = await askRevisions('revenue', '', 'AEM');
  expect(data).toMatchObject([
    {
      revision_rank: 1,
      kind: 'first',
      value: '3823878000',
      previous_value: null,
      delta: null,
      split_ratio: null,
      standing: false,
      accession_number: '0001104659-22-037577',
      filed_at: '2022-03-25',
      form: '40-F',
    },
    {
      revision_rank: 2,
      kind: 'revised',
      value: '3869625000',
      previous_value: '3823878000',
      delta: '45747000',
      split_ratio: null,
      standing: true,
      accession_number: '0001104659-23-037010',
    },
  ]);
  expect(data[0].raw_fact_id).not.toBe(data[1].raw_fact_id);
});

test('a value re-expressed for a split has the ratio and no delta', async () => {
  const { data } = await askRevisions('eps_diluted');
  expect(data).toMatchObject([
    { kind: 'first', value: '11.89', standing: false },
    { kind: 're_expressed', value: '2.97', previous_value: '11.89', delta: null, split_ratio: '4', standing: false },
    { kind: 'same', value: '2.97', previous_value: '2.97', delta: null, split_ratio: null, standing: true },
  ]);
});

test('revisions are sorted by period, latest first, and filtered by value id, fiscal year and period', async () => {
  const { data } = await askRevisions('revenue');
  const endDates = data.map((row: { end_date: string }) => row.end_date);
  expect(endDates).toEqual([...endDates].sort().reverse());
  const countRevisions = async (query: string) => (await askRevisions('revenue', query)).data.length;
  expect(await countRevisions(`metric_value_id=${REVENUE_2025_ID}`)).toBe(1);
  expect(await countRevisions('fiscal_year=2024')).toBe(2);
  expect(await countRevisions('fiscal_year=2025&fiscal_period=q1')).toBe(2);
  expect(await countRevisions('fiscal_period=FY')).toBe(3);
  expect(await countRevisions('fiscal_year=1999')).toBe(0);
  expect(await countRevisions('limit=2')).toBe(2);
});

test('a derived figure has no revisions', async () => {
  expect((await askRevisions('free_cash_flow')).data).toEqual([]);
  expect((await askRevisions('fcf_margin')).data).toEqual([]);
});

test('an unknown value id gives an empty answer, and an unknown metric is 404', async () => {
  expect((await askLineage('revenue', `metric_value_id=${UNKNOWN_VALUE_ID}`)).data).toEqual([]);
  expect((await askRevisions('revenue', `metric_value_id=${UNKNOWN_VALUE_ID}`)).data).toEqual([]);
  for (const subpath of ['lineage', 'revisions']) {
    const { detail } = await expectRefusal(`/v1/securities/AAPL/metrics/revenu/${subpath}`, 404);
    expect(detail).toBe('There is no metric "revenu". Did you mean revenue? The catalog lists all metrics.');
  }
});

test('the catalog lists every metric and every figure with a formula', async () => {
  const { data } = await askBody('/v1/metrics');
  const catalogKeys = data.map((entry: { key: string }) => entry.key);
  const formulaKeys = FIGURES.filter((figure) => formatFormula(figure) !== null).map((figure) => figure.key);
  expect(new Set(catalogKeys)).toEqual(new Set([...METRIC_KEYS, ...formulaKeys]));
  expect(new Set(catalogKeys).size).toBe(catalogKeys.length);
  const findEntry = (key: string) => data.find((entry: { key: string }) => entry.key === key);
  expect(findEntry('revenue')).toMatchObject({
    label: 'Revenue',
    value_kind: 'reported',
    covered_company_count: 2,
    statement: 'income',
    formula: 'if not reported: net_interest_income + noninterest_income',
    unit: null,
  });
  expect(findEntry('cost_of_revenue').formula).toBeNull();
  // The formulas of internal figures stand in place of their keys.
  expect(findEntry('operating_income').formula).toBe(
    'if not reported: ((gross_profit - operating_expenses) or (gross_profit - selling_general_and_administrative - research_and_development))',
  );
  expect(findEntry('revenue').mappings[0]).toEqual({
    taxonomy: 'us-gaap',
    concept: 'Revenues',
    priority: 1,
    sign_multiplier: 1,
    unit: null,
  });
  expect(findEntry('free_cash_flow')).toMatchObject({
    value_kind: 'derived',
    mappings: [],
    formula: 'operating_cash_flow - capital_expenditures',
    covered_company_count: 1,
  });
  expect(findEntry('gross_margin')).toMatchObject({ value_kind: 'derived', statement: null, unit: 'pure' });
  expect(findEntry('pe')).toMatchObject({ covered_company_count: 0 });
});
