import { title } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { command } from '../command.ts';
import { FILING_COLUMNS, filingTable } from './shared/filing-table.ts';

export default command({
  operation: 'filings',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'filings AAPL --limit 10', shows: 'the latest ten' },
    { line: 'filings AAPL --forms 10-K,10-K/A', shows: 'annual reports and their amendments' },
    { line: 'filings AAPL --forms 8-K --items 2.02 --csv', shows: 'earnings announcements as rows' },
  ],
  view: ({ data }) => [
    ...data.slice(0, 1).map(({ entity_name: name, ticker, cik }) => title(`${name} (${ticker ?? cik})`)),
    filingTable(data, null),
  ],
  rows: ({ data }) => pick(FILING_COLUMNS, data),
});
