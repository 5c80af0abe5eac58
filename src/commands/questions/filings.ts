import { command } from '../../ask/command.ts';
import { table } from '../../result/table.ts';
import { filingColumns, shownOfCompany } from './shared/filing-table.ts';

export default command({
  operation: 'filings',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'filings AAPL --limit 10', shows: 'the latest ten' },
    { line: 'filings AAPL --forms 10-K,10-K/A', shows: 'annual reports and their amendments' },
    { line: 'filings AAPL --forms 8-K --items 2.02 --csv', shows: 'earnings announcements, as CSV rows' },
  ],
  result: ({ data: [first], items }) => ({
    title: first === undefined ? null : `${first.entity_name} (${first.ticker ?? first.cik})`,
    tables: [table({ name: 'filings', columns: filingColumns(null), shown: shownOfCompany, records: items })],
  }),
});
