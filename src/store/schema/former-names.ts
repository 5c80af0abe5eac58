/** What companies and their securities went by before. */
import type { FormerName } from '../../edgar/filings/submissions.ts';
import type { FormerTicker } from '../../figures/issuers/former-tickers.ts';
import { CIK, type OfCompany, table, text, textOrNull } from './table.ts';

export type FormerNameRow = OfCompany<FormerName>;

/** In order of cik; of one company newest first, as its submissions list them. */
export const FORMER_NAMES = table<FormerNameRow>()({
  name: 'former_names',
  key: 'cik',
  columns: [CIK, text('name', 'name'), textOrNull('first_day', 'from'), textOrNull('last_day', 'to')],
});

/** In order of cik, then symbol. */
export const FORMER_TICKERS = table<FormerTicker>()({
  name: 'former_tickers',
  key: 'cik',
  columns: [
    CIK,
    text('symbol', 'symbol'),
    text('ticker_normalized', 'tickerNormalized'),
    text('first_day', 'firstDay'),
    text('last_day', 'lastDay'),
  ],
});
