/** Companies and their securities. */
import { CIK, flag, integer, table, text, textOrNull } from './table.ts';

/** `covered`: has core metrics. `partial`: has some figures. `none`: has no figure. Of a security also `inactive`. */
export type CoverageState = 'covered' | 'partial' | 'none' | 'inactive';

export interface Company {
  readonly cik: number;
  readonly entityName: string;
  readonly coverageState: CoverageState;
  readonly filingCount: number;
  readonly rawFactCount: number;
  readonly metricValueCount: number;
  readonly latestFilingAt: string | null;
}

/** How many filings of a company are in the release, and the day of the last. */
export type FilingCount = Pick<Company, 'filingCount' | 'latestFilingAt'>;

export const COMPANIES = table<Company>()({
  name: 'companies',
  key: 'cik',
  columns: [
    CIK,
    text('entity_name', 'entityName'),
    text('coverage_state', 'coverageState'),
    integer('filing_count', 'filingCount'),
    integer('raw_fact_count', 'rawFactCount'),
    integer('metric_value_count', 'metricValueCount'),
    textOrNull('latest_filing_at', 'latestFilingAt'),
  ],
});

export interface Security {
  readonly ticker: string;
  readonly tickerNormalized: string;
  readonly exchange: string;
  readonly cik: number;
  readonly isPrimary: boolean;
  readonly isActive: boolean;
  readonly coverageState: CoverageState;
}

/** In order of ticker. */
export const SECURITIES = table<Security>()({
  name: 'securities',
  key: null,
  columns: [
    text('ticker', 'ticker'),
    text('ticker_normalized', 'tickerNormalized'),
    text('exchange', 'exchange'),
    CIK,
    flag('is_primary', 'isPrimary'),
    flag('is_active', 'isActive'),
    text('coverage_state', 'coverageState'),
  ],
});
