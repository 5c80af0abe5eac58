/** Tables of companies and their securities. */
import { CIK_COLUMN, defineTable, flag, flagOrNull, integer, text, textOrNull } from './table.ts';

/**
 * `covered`: the company has an annual revenue, an annual net income or total assets. `partial`: it has only other
 * figures, or only some of its facts are in the release. `none`: it has no figures. `inactive` (securities only): the
 * security is no longer listed.
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
  /** Filing date of the company's last annual or interim report in the release. */
  readonly lastReport: string | null;
  /** Whether the company no longer reports; null if unknown, for example if no list of its filings was read. */
  readonly gone: boolean | null;
  /**
   * Standard Industrial Classification, four digits; null if unknown, for example if no list of the company's filings
   * was read.
   */
  readonly sic: string | null;
  /** Description of the SIC code. */
  readonly industry: string | null;
  /** `third_party` if the SIC code is not from the SEC; otherwise null. */
  readonly industrySource: string | null;
  /** True if the builder of the release stated that it has only some of the company's facts; otherwise null. */
  readonly partialFacts: boolean | null;
}

/** Number and dates of a company's filings in the release. */
export interface FilingActivity extends Pick<Company, 'filingCount' | 'latestFilingAt' | 'lastReport'> {
  /** Whether a list of the company's filings was read; if not, it is unknown whether the company still files. */
  readonly hasFilingList: boolean;
  /** Filing date of the company's last Form 15, the notice that its duty to report ends; null without a Form 15. */
  readonly deregistered: string | null;
}

export const COMPANIES = defineTable<Company>()({
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
    textOrNull('industry_source', 'industrySource'),
    flagOrNull('partial_facts', 'partialFacts'),
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
export const SECURITIES = defineTable<Security>()({
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
