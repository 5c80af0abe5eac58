/** Service answers for tests, with figures copied from real filings. */
import type { MetricRevision, MetricValue } from '../../src/contract/resources/metrics.ts';

export const RELEASE = {
  date: '2026-08-18',
  checks: 'passed',
  published_at: '2026-08-19T04:00:00Z',
  stamp: '2026-08-18-0123456789ab',
} as const;

export const META = { schema: 'svc.data.v1', release: RELEASE, request_id: 'r-1' } as const;

type FigureFields = Pick<MetricValue, 'metric_key' | 'metric_label' | 'value' | 'end_date'> & Partial<MetricValue>;

/** Returns a figure of Apple; by default reported, and for a fiscal year. */
export const makeAppleFigure = (fields: FigureFields): MetricValue => ({
  metric_value_id: '37d6cc25-8168-5dba-8ba2-a9139864d50c',
  cik: 320193,
  entity_name: 'Apple Inc.',
  ticker: 'AAPL',
  exchange: 'Nasdaq',
  unit: 'USD',
  period_kind: 'annual',
  value_kind: 'reported',
  confidence: '1',
  statement: 'income',
  fiscal_period: 'FY',
  revised: false,
  revision_count: 0,
  read_from: {
    accession_number: '0000320193-25-000079',
    revision_rank: 1,
    kind: 'first',
    filed_at: '2025-10-31',
    form: '10-K',
  },
  ...fields,
});

const YEAR_ROWS = [
  [2025, '2024-09-29', '2025-09-27', '416161000000', '98767000000'],
  [2024, '2023-10-01', '2024-09-28', '391035000000', '108807000000'],
  [2023, '2022-09-25', '2023-09-30', '383285000000', '99584000000'],
] as const;

/** Apple's revenue and free cash flow of three years, and its total assets and shares outstanding of fiscal 2024. */
export const APPLE_ANNUAL_FIGURES: readonly MetricValue[] = [
  ...YEAR_ROWS.map(([fiscal_year, start_date, end_date, value]) =>
    makeAppleFigure({ metric_key: 'revenue', metric_label: 'Revenue', fiscal_year, start_date, end_date, value }),
  ),
  ...YEAR_ROWS.map(([fiscal_year, start_date, end_date, , value]) =>
    makeAppleFigure({
      ...{
        metric_key: 'free_cash_flow',
        metric_label: 'Free cash flow',
        statement: 'cash_flow',
        value_kind: 'derived',
      },
      ...{ fiscal_year, start_date, end_date, value, revised: fiscal_year === 2023 },
    }),
  ),
  makeAppleFigure({
    ...{ metric_key: 'assets', metric_label: 'Total assets', statement: 'balance', period_kind: 'instant' },
    ...{ fiscal_year: 2024, start_date: null, end_date: '2024-09-28', value: '364980000000' },
  }),
  makeAppleFigure({
    ...{ metric_key: 'common_shares_outstanding', metric_label: 'Common shares outstanding', unit: 'shares' },
    ...{ statement: 'cover', period_kind: 'instant', fiscal_year: 2024, start_date: null },
    ...{ end_date: '2024-10-18', value: '15115823000' },
  }),
];

const makeRevision = (fields: Partial<MetricRevision>): MetricRevision => ({
  metric_value_id: 'e6ca1bd3-97eb-593d-a1bd-a09684f533b2',
  cik: 1637459,
  entity_name: 'Kraft Heinz Co',
  ticker: 'KHC',
  metric_key: 'net_income',
  metric_label: 'Net income',
  metric_unit: 'USD',
  start_date: '2017-01-01',
  end_date: '2017-12-30',
  period_kind: 'annual',
  fiscal_year: 2017,
  fiscal_period: 'FY',
  revision_rank: 1,
  kind: 'first',
  value: '10999000000',
  raw_fact_id: 'b865d492-0b7f-556d-9e52-1f9f05bb4707',
  accession_number: '0001637459-18-000015',
  form: '10-K',
  filed_at: '2018-02-16',
  standing: false,
  delta: null,
  previous_value: null,
  split_ratio: null,
  ...fields,
});

/** Kraft Heinz's net income of 2017, restated by 58 million dollars in June 2019. */
export const KRAFT_HEINZ_2017_REVISIONS: readonly MetricRevision[] = [
  makeRevision({}),
  makeRevision({
    ...{ revision_rank: 2, kind: 'revised', value: '10941000000', previous_value: '10999000000', delta: '-58000000' },
    ...{ accession_number: '0001637459-19-000049', filed_at: '2019-06-07', standing: true },
  }),
];

/** Apple's diluted earnings per share of 2019, before and after the 4:1 split of 2020. */
const EPS_REVISIONS: readonly Partial<MetricRevision>[] = [
  {
    value: '11.89',
    kind: 'first',
    revision_rank: 1,
    filed_at: '2019-10-31',
    accession_number: '0000320193-19-000119',
  },
  {
    ...{ value: '2.97', kind: 're_expressed', revision_rank: 2, filed_at: '2020-10-30', split_ratio: '4' },
    ...{ accession_number: '0000320193-20-000096', standing: true },
  },
];

export const APPLE_EPS_2019_REVISIONS: readonly MetricRevision[] = EPS_REVISIONS.map((fields) =>
  makeRevision({
    ...{
      cik: 320193,
      entity_name: 'Apple Inc.',
      ticker: 'AAPL',
      metric_key: 'eps_diluted',
      metric_label: 'Diluted EPS',
    },
    ...{ metric_unit: 'USD/shares', fiscal_year: 2019, start_date: '2018-09-30', end_date: '2019-09-28' },
    ...fields,
  }),
);
