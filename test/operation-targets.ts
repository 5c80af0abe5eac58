/** For each operation, questions that the sample answers with data. */
import type { OperationId } from '../src/contract/operations.ts';

export const TARGETS_BY_OPERATION: Readonly<Record<OperationId, readonly [string, ...string[]]>> = {
  search: ['/v1/securities?query=apple&limit=5'],
  profile: ['/v1/securities/AAPL/profile', '/v1/securities/GOOGL/profile'],
  metrics: [
    '/v1/securities/AAPL/metrics?period=all&limit=500',
    '/v1/securities/TSM/metrics?as_of=2020-01-01',
    '/v1/securities/AAPL/metrics?keys=fcf_margin&period=annual',
  ],
  catalog: ['/v1/metrics'],
  lineage: [
    '/v1/securities/AAPL/metrics/free_cash_flow/lineage?limit=50',
    // This metric's value is the sum over share classes.
    '/v1/securities/META/metrics/common_shares_outstanding/lineage',
  ],
  revisions: ['/v1/securities/AAPL/metrics/eps_diluted/revisions?limit=500'],
  'raw-concepts': ['/v1/securities/AAPL/raw-concepts?limit=100'],
  filings: ['/v1/securities/AAPL/filings?forms=8-K&items=2.02'],
  day: ['/v1/filings/day', '/v1/filings/day?date=2026-07-30'],
  filing: ['/v1/filings/0000320193-25-000079'],
  'insider-activity': ['/v1/insider-activity?kind=sale'],
  insiders: ['/v1/securities/ADBE/insider-activity'],
  holders: ['/v1/securities/AAPL/holders'],
  managers: ['/v1/holders', '/v1/holders?query=berkshire'],
  manager: ['/v1/holders/1067983?limit=20'],
  segments: ['/v1/securities/AAPL/segments', '/v1/securities/AAPL/segments?period=quarterly'],
  prices: ['/v1/securities/NVDA/prices?range=max'],
  screen: [
    '/v1/screen?columns=revenue,fiscal_year,coverage_state,annual_end_date',
    '/v1/screen?limit=500',
    '/v1/screen?where=revenue_yoy:gt:0.2&columns=revenue,price&sort=revenue&dir=desc',
  ],
  release: ['/v1/release'],
};
