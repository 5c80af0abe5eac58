/** Companies and their securities. */
import { CIK_COLUMN, flag, flagOrNull, integer, table, text, textOrNull } from './table.ts';

/**
 * `covered`: has core metrics. `partial`: has some figures. `none`: has no figures. Securities can also be
 * `inactive`.
 */
export type CoverageState = 'covered' | 'partial' | 'none' | 'inactive';

export interface Company {
  readonly cik: number;
  readonly entityName: string;
  readonly coverageState: CoverageState;
  readonly filingCount: number;
  readonly rawFactCount: number;
  readonly metricValueCount: number;
  readonly latestFilingAt: string | null;
  /** The day of its last annual or interim report in the release. */
  readonly lastReport: string | null;
  /** Whether it no longer reports; null if unknown, for example without a list of its filings. */
  readonly gone: boolean | null;
  /** Four digits of the Standard Industrial Classification; null without a list of its filings. */
  readonly sic: string | null;
  /** The description of the code. */
  readonly industry: string | null;
}

/** Counts and dates of a company's filings in the release. */
export interface FilingCount extends Pick<Company, 'filingCount' | 'latestFilingAt' | 'lastReport'> {
  /** Whether a list of its filings was read; facts alone do not show what it no longer files. */
  readonly isListed: boolean;
  /** Day of its last notice that the duty to report ends (Form 15); null without one. */
  readonly deregistered: string | null;
}

export const COMPANIES = table<Company>()({
  name: 'companies',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('entity_name', 'entityName'),
    text('coverage_state', 'coverageState'),
    integer('filing_count', 'filingCount'),
    integer('raw_fact_count', 'rawFactCount'),
    integer('metric_value_count', 'metricValueCount'),
    textOrNull('latest_filing_at', 'latestFilingAt'),
    textOrNull('last_report', 'lastReport'),
    flagOrNull('gone', 'gone'),
    textOrNull('sic', 'sic'),
    textOrNull('industry', 'industry'),
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

/** Sorted by ticker. */
export const SECURITIES = table<Security>()({
  name: 'securities',
  key: null,
  columns: [
    text('ticker', 'ticker'),
    text('ticker_normalized', 'tickerNormalized'),
    text('exchange', 'exchange'),
    CIK_COLUMN,
    flag('is_primary', 'isPrimary'),
    flag('is_active', 'isActive'),
    text('coverage_state', 'coverageState'),
  ],
});
