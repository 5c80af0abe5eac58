import { defineCommand } from '../ask/command/command.ts';
import { makeTable } from '../result/table.ts';
import { COMPANY_COLUMNS, makeFilingColumns } from './reports/filing-table.ts';

export default defineCommand({
  operation: 'filings',
  listsFilings: true,
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'filings AAPL --limit 10': 'the latest ten',
    'filings AAPL --forms 10-K,10-K/A': 'annual reports and their amendments',
    'filings AAPL --forms 8-K --items 2.02 --csv': 'earnings announcements, as CSV rows',
  },
  result: ({ data: [first], items }) => ({
    title: first === undefined ? null : `${first.entity_name} (${first.ticker ?? first.cik})`,
    tables: [
      makeTable({ name: 'filings', columns: makeFilingColumns(null), shownKeys: COMPANY_COLUMNS, records: items }),
    ],
  }),
});
