import { quiet, table, title } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { command } from '../command.ts';

export default command({
  operation: 'raw-concepts',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'raw-concepts AAPL', shows: 'the concepts it tags, and since when' },
    { line: 'raw-concepts AAPL --limit 500 --csv', shows: 'up to 500 of them, as rows' },
  ],
  help:
    'It lists concepts, not their values: the interface gives values of metrics. Those of the concepts that a metric is read ' +
    'from, as filed: fin lineage <ticker> <metric>. The metric of a concept: fin catalog us-gaap:Revenues',
  view: ({ data }) => [
    ...data.slice(0, 1).map(({ entity_name: name, ticker }) => title(`${name} (${ticker})`)),
    table(
      [
        { key: 'concept', title: 'Concept', shrinkTo: 24, cut: 'middle' },
        { key: 'taxonomy', title: 'Taxonomy', drop: 2 },
        { key: 'unit', title: 'Unit', drop: 3 },
        { key: 'fact_count', title: 'Facts', align: 'right' },
        { key: 'earliest_end_date', title: 'First', drop: 1 },
        { key: 'latest_end_date', title: 'Last' },
      ],
      data.map((row) => [
        row.concept,
        quiet(row.taxonomy),
        row.unit,
        row.fact_count,
        row.earliest_end_date ?? null,
        row.latest_end_date ?? null,
      ]),
    ),
  ],
  rows: ({ data }) =>
    pick(
      [
        'ticker',
        'exchange',
        'cik',
        'entity_name',
        'taxonomy',
        'concept',
        'unit',
        'fact_count',
        'earliest_end_date',
        'latest_end_date',
      ],
      data,
    ),
});
