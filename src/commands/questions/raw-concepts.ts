import { command } from '../../ask/command.ts';
import { table } from '../../result/table.ts';

export default command({
  operation: 'raw-concepts',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'raw-concepts AAPL', shows: 'the concepts it tags, and since when' },
    { line: 'raw-concepts AAPL --all --csv', shows: 'up to 500 of them, as rows' },
  ],
  help:
    'It lists concepts, not their values: the interface gives values of metrics. Those of the concepts that a metric is read ' +
    'from, as filed: fin lineage <ticker> <metric>. The metric of a concept: fin catalog us-gaap:Revenues',
  result: ({ data, items }) => ({
    title: data[0] === undefined ? null : `${data[0].entity_name} (${data[0].ticker})`,
    tables: [
      table({
        name: 'concepts',
        columns: [
          { key: 'ticker' },
          { key: 'exchange' },
          { key: 'cik' },
          { key: 'entity_name' },
          { key: 'taxonomy', tone: 'quiet', drop: 2 },
          { key: 'concept', shrinkTo: 24, cut: 'middle' },
          { key: 'unit', drop: 3 },
          { key: 'fact_count', label: 'Facts', align: 'right' },
          { key: 'earliest_end_date', label: 'First', drop: 1 },
          { key: 'latest_end_date', label: 'Last' },
        ],
        shown: ['concept', 'taxonomy', 'unit', 'fact_count', 'earliest_end_date', 'latest_end_date'],
        records: items,
      }),
    ],
  }),
});
