import { expect, test } from 'vitest';
import { findUsedAdditions } from '../../src/contract/additions.ts';
import { makeOpenApiDocument } from '../../src/contract/openapi.ts';

/** Figures of the screener that the HTTP API does not have; this list is written by hand. */
const ADDED_FIGURE_KEYS = [
  ...['ebitda', 'ebitda_margin', 'total_debt', 'net_debt', 'debt_to_ebitda', 'interest_coverage'],
  ...['revenue_cagr_3y', 'revenue_cagr_5y', 'eps_diluted_cagr_3y', 'eps_diluted_cagr_5y', 'shares_change_3y'],
  ...['enterprise_value', 'ev_to_ebitda', 'ev_to_revenue'],
];

test('the OpenAPI document marks exactly the additions to the interface', () => {
  const markedAdditions: string[] = [];
  const collectAdditions = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('x-addition' in value) {
      const additionName = 'name' in value ? `${path} ${value.name}` : path;
      markedAdditions.push(`${additionName}: ${JSON.stringify(value['x-addition'])}`);
      // Every addition has a schema and a description.
      expect(Object.keys(value).length, path).toBeGreaterThan(2);
    }
    for (const [name, child] of Object.entries(value)) collectAdditions(child, `${path}/${name}`);
  };
  const { paths, components } = makeOpenApiDocument() as { paths: object; components: { schemas: object } };
  collectAdditions(paths, '');
  collectAdditions(components.schemas, '');
  // This list is written by hand, so that no addition is made by mistake.
  expect(
    markedAdditions.map((line) => line.replaceAll('/properties', '').replace(/\/get\/parameters\/\d+/, '')),
  ).toEqual([
    '//v1/securities/{ticker}/metrics values: true',
    '//v1/securities/{ticker}/metrics split_adjusted: true',
    '//v1/securities/{ticker}/metrics/{metric_key}/lineage values: true',
    '//v1/securities/{ticker}/metrics/{metric_key}/lineage split_adjusted: true',
    '//v1/securities/{ticker}/metrics/{metric_key}/revisions fiscal_period: ["H1","9M"]',
    '//v1/securities/{ticker}/metrics/{metric_key}/revisions split_adjusted: true',
    '//v1/securities/{ticker}/raw-concepts concept: true',
    '//v1/securities/{ticker}/raw-concepts search: true',
    '//v1/securities/{ticker}/raw-concepts as_of: true',
    '//v1/securities/{ticker}/filings since: true',
    '//v1/securities/{ticker}/filings until: true',
    '//v1/securities/{ticker}/filings offset: true',
    '//v1/filings/day forms: true',
    '//v1/securities/{ticker}/holders quarter: true',
    '//v1/holders/{cik} quarter: true',
    `//v1/screen where: ${JSON.stringify(ADDED_FIGURE_KEYS)}`,
    `//v1/screen sort: ${JSON.stringify(ADDED_FIGURE_KEYS)}`,
    `//v1/screen columns: ${JSON.stringify([...ADDED_FIGURE_KEYS, 'sic', 'industry', 'shares_change_end_date', 'currency'])}`,
    '//v1/screen as_of: true',
    '//v1/screen industry: true',
    '//v1/screen sic: true',
    '//v1/screen peers_of: true',
    '//v1/screen split_adjusted: true',
    '//v1/screen set_aside_by: true',
    '//v1/screen missing_by: true',
    '/Meta/concept: true',
    '/Meta/industry_unknown: true',
    '/Meta/left_out: true',
    '/Meta/missing_by: true',
    '/Meta/no_longer_reporting: true',
    '/Meta/quarter: true',
    '/Meta/search: true',
    '/Meta/set_aside_by: true',
    '/Problem/unknown_parameters: true',
    '/SecuritySearchHit/last_report: true',
    '/SecuritySearchHit/brand: true',
    '/SecuritySearchHit/approximate: true',
    '/SecurityProfile/last_report: true',
    '/SecurityProfile/gone: true',
    '/SecurityProfile/sic: true',
    '/SecurityProfile/industry: true',
    '/SecurityProfile/industry_source: true',
    '/SecurityProfile/partial_facts: true',
    '/MetricValue/basis_break: true',
    '/MetricValue/unconfirmed: true',
    '/MetricValue/partial_facts: true',
    '/MetricValue/split_ratio: true',
    '/MetricLineage/fact_source: true',
    '/MetricLineage/unconfirmed: true',
    '/MetricLineage/partial_facts: true',
    '/MetricLineage/split_ratio: true',
    '/MetricRevision/adjustment_ratio: true',
    '/MetricRevision/unconfirmed: true',
    '/MetricRevision/partial_facts: true',
    '/RawConcept/facts: true',
    '/RawConcept/partial_facts: true',
    '/InsiderTransaction/repeated: true',
    '/HolderPosition/split_ratio: true',
    '/Holder/notice: true',
    '/Holder/reported_by: true',
    '/SecurityHolders/split_ratio: true',
    '/SegmentPeriod/basis: true',
    '/SegmentMember/parent: true',
    '/SegmentMember/role: true',
    '/Prices/undated_splits: true',
    '/ScreenRow/last_report: true',
    '/ScreenRow/gone: true',
    ...['shares_change_end_date', ...ADDED_FIGURE_KEYS, 'sic', 'industry', 'currency', 'unconfirmed'].map(
      (name) => `/ScreenRow/${name}: true`,
    ),
  ]);
});

test('the additions to the interface that a question uses are found', () => {
  expect(findUsedAdditions('screen', [['as_of', '2024-01-31']])).toEqual([
    ['as_of', expect.stringContaining('past date')],
  ]);
  expect(findUsedAdditions('screen', [['columns', 'revenue,ebitda']])).toEqual([['columns', expect.any(String)]]);
  expect(findUsedAdditions('screen', [['where', 'ev_to_ebitda:lt:8']])).toEqual([['where', expect.any(String)]]);
  expect(
    findUsedAdditions('screen', [
      ['where', 'revenue:gt:1'],
      ['sort', 'ticker'],
    ]),
  ).toEqual([]);
  expect(findUsedAdditions('metrics', [['as_of', '2024-01-31']])).toEqual([]);
  expect(findUsedAdditions('revisions', [['fiscal_period', 'q3']])).toEqual([]);
  expect(findUsedAdditions('revisions', [['fiscal_period', 'h1']])).toHaveLength(1);
  expect(
    findUsedAdditions('filings', [
      ['since', '2024-01-31'],
      ['forms', '8-K'],
    ]),
  ).toEqual([['since', expect.any(String)]]);
});
