import { defineCommand } from '../ask/command/command.ts';
import { makeTable } from '../result/table.ts';
import { conceptTableLayout } from './reports/fact-columns.ts';
import { makePartialFactsNotices } from './reports/report-notices.ts';

export default defineCommand({
  operation: 'raw-concepts',
  parameters: ['limit', 'search'],
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'raw-concepts AAPL': 'the XBRL concepts that a company uses, with first and last dates',
    'raw-concepts AAPL --all --csv': 'up to 500 concepts, as rows',
  },
  help:
    'Lists the concepts, but not their values. To show the values of a concept as filed: fin facts <ticker> <concept>. To find the ' +
    'metric that uses a concept: fin catalog us-gaap:Revenues',
  result: ({ data, items }) => ({
    title: data[0] === undefined ? null : `${data[0].entity_name} (${data[0].ticker})`,
    tables: [makeTable({ name: 'concepts', ...conceptTableLayout, records: items })],
    notices: makePartialFactsNotices(data),
  }),
});
