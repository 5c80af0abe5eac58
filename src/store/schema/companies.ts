/** Tables of companies and their securities, with former names and former tickers. */

import type { FormerName } from '../../edgar/filings/submissions.ts';
import type { FormerTicker } from '../../ownership/issuers/cusip-map.ts';
import { day, flag, integer, only, text } from './columns.ts';
import { CIK_COLUMN, declareTable, defineTable, type RowOf, TICKER_COLUMN, type WithCik } from './declare-table.ts';

/**
 * `covered`: the company has an annual revenue, an annual net income or total assets. `partial`: it has only other
 * figures, or only some of its facts are in the release. `none`: it has no figures. `inactive` (securities only): the
 * security is no longer listed.
 */
export type CoverageState = 'covered' | 'partial' | 'none' | 'inactive';

/** Number and dates of a company's filings in the release. */
export interface FilingActivity extends Pick<Company, 'filingCount' | 'latestFilingAt' | 'lastReport'> {
  /** Whether a list of the company's filings was read; if not, it is unknown whether the company still files. */
  readonly hasFilingList: boolean;
  /** Filing date of the company's last Form 15, the notice that its duty to report ends; null without a Form 15. */
  readonly deregistered: string | null;
}

export const ENTITY_NAME_COLUMN = text('entity_name', 'Name of the company');
export const LAST_REPORT_COLUMN = day('last_report?', "Date of the company's last annual or interim report");
export const GONE_COLUMN = flag('gone?', 'Whether the company has stopped reporting; null if unknown');
export const SIC_COLUMN = text('sic?', 'Code of the industry (Standard Industrial Classification)');
export const INDUSTRY_COLUMN = text('industry?', 'Name of the industry');

export const COMPANIES = declareTable({
  name: 'companies',
  typed: { about: 'One row for each company in the release.', order: 'cik' },
  key: 'cik',
  columns: [
    CIK_COLUMN,
    ENTITY_NAME_COLUMN,
    only<CoverageState>()(
      text(
        'coverage_state',
        'covered: the company has an annual revenue, an annual net income or total assets. partial: it has only other figures, or partial_facts is true. none: it has no figures',
      ),
    ),
    integer('filing_count', "Number of the company's filings in the release"),
    integer('raw_fact_count', 'Number of XBRL facts that the company reported'),
    integer('metric_value_count', "Number of metric values that were read or computed from the company's XBRL facts"),
    day('latest_filing_at?', "Date of the company's latest filing", { typedName: 'latest_filed_at' }),
    LAST_REPORT_COLUMN,
    GONE_COLUMN,
    SIC_COLUMN,
    INDUSTRY_COLUMN,
    text('industry_source?', 'third_party if sic is from a third party; null if it is from the SEC'),
    flag('partial_facts?', "True if the release has only some of the company's facts, otherwise null"),
  ],
});

export type Company = RowOf<typeof COMPANIES>;

/** Sorted by ticker. */
export const SECURITIES = declareTable({
  name: 'securities',
  typed: { about: 'One row for each ticker, with its company.', order: 'ticker' },
  key: null,
  columns: [
    text(
      'ticker',
      'Ticker as listed by the SEC; if the SEC lists no ticker of the company, its last one or "CIK" followed by ten digits',
    ),
    TICKER_COLUMN,
    text('exchange', 'Stock exchange'),
    CIK_COLUMN,
    flag('is_primary', 'Whether this is the primary ticker of the company'),
    flag('is_active', 'Whether the SEC still lists the ticker'),
    only<CoverageState>()(
      text(
        'coverage_state',
        'Coverage of the company (companies.coverage_state); inactive if the ticker is no longer listed',
      ),
    ),
  ],
});

export type Security = RowOf<typeof SECURITIES>;

export type FormerNameRow = WithCik<FormerName>;

/** Sorted by CIK; the names of a company are in the order of its submissions file, latest first. */
export const FORMER_NAMES = defineTable<FormerNameRow>()({
  name: 'former_names',
  typed: { about: 'Former names of companies.', order: 'cik, latest name first' },
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('name', 'Former name'),
    day('first_day?', 'First day on which the company had the name; null if unknown', { field: 'from' }),
    day('last_day?', 'Last day on which the company had the name; null if unknown', { field: 'to' }),
  ],
});

/** Sorted by CIK, then ticker. */
export const FORMER_TICKERS = defineTable<FormerTicker>()({
  name: 'former_tickers',
  typed: {
    about: "Former ticker symbols of securities, as found in the SEC's lists of fails to deliver.",
    order: 'cik, then symbol',
  },
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('symbol', 'Former symbol'),
    TICKER_COLUMN,
    day('first_day', 'First day on which a list of fails to deliver includes the symbol'),
    day('last_day', 'Last day on which a list of fails to deliver includes the symbol'),
  ],
});
