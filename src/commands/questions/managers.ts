import { figure, table } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { command } from '../command.ts';

export default command({
  operation: 'managers',
  args: [{ parameter: 'query', optional: true }],
  examples: [
    { line: 'managers', shows: 'the largest, by the value of their latest report' },
    { line: 'managers argus', shows: 'a manager by name; its CIK goes into fin manager' },
  ],
  view: ({ data }) => [
    table(
      [
        { key: 'name', title: 'Manager', shrinkTo: 16 },
        { key: 'cik', title: 'CIK', align: 'right' },
        { key: 'latest_period', title: 'Quarter', drop: 1 },
        { key: 'latest_positions', title: 'Positions', align: 'right', drop: 2 },
        { key: 'latest_value', title: 'Value', align: 'right' },
      ],
      data.map((hit) => [
        hit.name,
        hit.cik,
        hit.latest_period ?? null,
        hit.latest_positions ?? null,
        figure(hit.latest_value, 'money'),
      ]),
    ),
  ],
  rows: ({ data }) => pick(['cik', 'name', 'latest_period', 'latest_positions', 'latest_value'], data),
});
