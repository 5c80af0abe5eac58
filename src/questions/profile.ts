import { defineCommand } from '../ask/command/command.ts';
import type { SecurityProfile } from '../contract/resources/securities.ts';
import type { LabelledValue } from '../result/result.ts';
import { flattenValue } from '../result/rows.ts';
import { makeFieldColumns, makeTable } from '../result/table.ts';
import { makePriceFacts, PRICE_COLUMNS } from './amounts/amounts.ts';
import { makeLaterReportsNotices, makePartialFactsNotices } from './reports/report-notices.ts';

export default defineCommand({
  operation: 'profile',
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'profile AAPL': 'the company, its latest filing and its price',
    'profile AAPL MSFT --csv': 'several companies, one row each',
  },
  result: async ({ data }, { parameters: { ticker }, lookUp }) => ({
    title: `${data.entity_name} (${data.ticker})`,
    facts: [
      ['Exchange', data.exchange],
      ['CIK', data.cik],
      ...makeIndustryFacts(data),
      ['Security', [data.is_primary ? 'primary' : 'secondary', data.is_active ? 'active' : 'inactive'].join(', ')],
      ['Coverage', data.company_coverage_state],
      ['Filings', data.filing_count],
      ['Latest filing', data.latest_filing_at ?? null],
      ...makeLastReportFacts(data),
      ['XBRL facts', data.raw_fact_count],
      ['Metric values', data.metric_value_count],
      ...(data.price == null ? [['Price', null] as const] : makePriceFacts(data.price)),
    ],
    tables: [
      makeTable({
        name: 'profile',
        columns: [
          ...makeFieldColumns('ticker', 'ticker_normalized', 'exchange', 'cik', 'entity_name', 'is_primary'),
          ...makeFieldColumns('is_active', 'security_coverage_state', 'company_coverage_state', 'filing_count'),
          ...makeFieldColumns('raw_fact_count', 'metric_value_count', 'latest_filing_at', 'last_report', 'gone'),
          ...makeFieldColumns('sic', 'industry', 'industry_source', 'partial_facts', 'security_id'),
          ...PRICE_COLUMNS.map(({ key, measure }) => ({
            key: `price_${key}`.replace('price_price', 'price'),
            value: (row: typeof data) => flattenValue(row.price == null ? null : Reflect.get(row.price, key)),
            ...(measure === undefined ? {} : { measure }),
            priced: true,
          })),
        ],
        shownKeys: [],
        records: () => [data],
      }),
    ],
    notices: [
      ...makePartialFactsNotices([data]),
      ...(await makeLaterReportsNotices({ ticker: String(ticker), period: 'latest' }, null, lookUp)),
    ],
  }),
});

/** Returns the industry with its code, and whether the code is from a third party; empty if the industry is unknown. */
function makeIndustryFacts({ sic, industry, industry_source: source }: SecurityProfile): readonly LabelledValue[] {
  if (sic == null) return [];
  const from = source == null ? '' : `, from a ${source.replace('_', ' ')}`;
  return [['Industry', `${industry ?? '–'} (SIC ${sic}${from})`]];
}

/**
 * Returns the date of the last report, if the company has no current ticker or no longer reports (according to its list
 * of filings); otherwise an empty list.
 */
function makeLastReportFacts(profile: SecurityProfile): readonly LabelledValue[] {
  const { last_report: day, gone: stopped, is_active: isActive } = profile;
  if (day == null || (isActive && stopped !== true)) return [];
  return [['Last report', stopped === true ? `${day}; the company has stopped reporting` : day]];
}
