import { defineCommand } from '../ask/command/command.ts';
import { makeTable } from '../result/table.ts';

export default defineCommand({
  operation: 'managers',
  args: [{ parameter: 'query', optional: true }],
  examples: {
    managers: 'the largest managers, by the value of their latest report',
    'managers argus': 'managers by name, each with its CIK for "fin manager"',
    'managers --overlap 7195,1619124': 'the positions that managers have in common',
  },
  help:
    '--overlap compares the holdings of two or more managers: it shows the positions that all of them reported for the ' +
    'latest quarter that they have in common. fin fetches all positions of each manager, and compares them itself.',
  options: [
    {
      name: 'overlap',
      value: 'ciks',
      many: true,
      help: 'Show positions that these managers (two or more CIKs) share',
    },
  ],
  delegate: async (parsed) =>
    parsed.options.has('overlap') ? (await import('./holdings/overlap.ts')).delegateOverlap(parsed) : null,
  result: ({ items }) => ({
    tables: [
      makeTable({
        name: 'managers',
        columns: [
          { key: 'cik', align: 'right' },
          { key: 'name', label: 'Manager', shrinkTo: 16 },
          { key: 'latest_period', label: 'Quarter', drop: 1 },
          { key: 'latest_positions', label: 'Positions', align: 'right', drop: 2 },
          { key: 'latest_value', label: 'Value', measure: 'money' },
        ],
        shownKeys: ['name', 'cik', 'latest_period', 'latest_positions', 'latest_value'],
        records: items,
      }),
    ],
  }),
});
