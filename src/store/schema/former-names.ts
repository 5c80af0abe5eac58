/** Tables of former names of companies, and former tickers of securities. */
import type { FormerName } from '../../edgar/filings/submissions.ts';
import type { FormerTicker } from '../../ownership/issuers/cusip-map.ts';
import { day, dayOrNull, text } from './columns.ts';
import { CIK_COLUMN, defineTable, TICKER_COLUMN, type WithCik } from './declare-table.ts';

export type FormerNameRow = WithCik<FormerName>;

/** Sorted by CIK; the names of a company are in the order of its submissions file, latest first. */
export const FORMER_NAMES = defineTable<FormerNameRow>()({
  name: 'former_names',
  typed: { about: 'Former names of companies.', order: 'cik, latest name first' },
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('name', 'Former name'),
    dayOrNull('first_day', 'First day on which the company had the name; null if unknown', { field: 'from' }),
    dayOrNull('last_day', 'Last day on which the company had the name; null if unknown', { field: 'to' }),
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
