import type { SecurityProfile } from '../../contract/resources/securities.ts';
import { fields, title } from '../../output/blocks.ts';
import { flatValue } from '../../output/rows.ts';
import { command } from '../command.ts';
import { laterReportsNotice } from './shared/later-reports.ts';
import { PRICE_COLUMNS, priceFields } from './shared/latest-price.ts';

const PRICES = PRICE_COLUMNS.map((name) => `price_${name}`.replace('price_price', 'price'));

const COLUMNS = [
  'ticker',
  'ticker_normalized',
  'exchange',
  'cik',
  'entity_name',
  'is_primary',
  'is_active',
  'security_coverage_state',
  'company_coverage_state',
  'filing_count',
  'raw_fact_count',
  'metric_value_count',
  'latest_filing_at',
  'last_report',
  'gone',
  'security_id',
] as const;

/** When the company reported last, where its list of filings shows that it no longer does, or it has no ticker of today. */
function lastReport({ last_report: day, gone, is_active: isActive }: SecurityProfile): (readonly [string, string])[] {
  if (day == null || (isActive && gone !== true)) return [];
  return [['Last report', gone === true ? `${day}; no longer reports` : day]];
}

export default command({
  operation: 'profile',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'profile AAPL', shows: 'the company, its filings and its price' },
    { line: 'profile AAPL MSFT --csv', shows: 'several, a row each' },
  ],
  lookUpNotices: (_, { ticker }, lookUp) =>
    laterReportsNotice({ ticker: String(ticker), period: 'latest' }, null, lookUp),
  view: ({ data }) => [
    title(`${data.entity_name} (${data.ticker})`),
    fields([
      ['Exchange', data.exchange],
      ['CIK', data.cik],
      ['Security', [data.is_primary ? 'primary' : 'secondary', data.is_active ? 'active' : 'inactive'].join(', ')],
      ['Coverage', data.company_coverage_state],
      ['Filings', data.filing_count],
      ['Latest filing', data.latest_filing_at ?? null],
      ...lastReport(data),
      ['Tagged facts', data.raw_fact_count],
      ['Metric values', data.metric_value_count],
      ...(data.price == null ? [['Price', null] as const] : priceFields(data.price)),
    ]),
  ],
  rows: ({ data }) => ({
    columns: [...COLUMNS, ...PRICES],
    rows: [
      [...COLUMNS.map((name) => flatValue(data[name])), ...PRICE_COLUMNS.map((name) => flatValue(data.price?.[name]))],
    ],
  }),
  priceColumns: PRICES,
});
