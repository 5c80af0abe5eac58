/** Tables of former names of companies, and former tickers of securities. */
import type { FormerName } from '../../edgar/filings/submissions.ts';
import type { FormerTicker } from '../../ownership/issuers/cusip-map.ts';
import { CIK_COLUMN, defineTable, text, textOrNull, type WithCik } from './table.ts';

export type FormerNameRow = WithCik<FormerName>;

/** Sorted by CIK; the names of a company are in the order of its submissions file, latest first. */
export const FORMER_NAMES = defineTable<FormerNameRow>()({
  name: 'former_names',
  key: 'cik',
  columns: [CIK_COLUMN, text('name', 'name'), textOrNull('first_day', 'from'), textOrNull('last_day', 'to')],
});

/** Sorted by CIK, then ticker. */
export const FORMER_TICKERS = defineTable<FormerTicker>()({
  name: 'former_tickers',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('symbol', 'symbol'),
    text('ticker_normalized', 'tickerNormalized'),
    text('first_day', 'firstDay'),
    text('last_day', 'lastDay'),
  ],
});
