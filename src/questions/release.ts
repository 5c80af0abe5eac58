import { defineCommand } from '../ask/command/command.ts';
import { formatInstant } from '../contract/text/format-counts.ts';
import { makeTable } from '../result/table.ts';

export default defineCommand({
  operation: 'release',
  args: [],
  examples: { release: 'the release in use', 'release --json': 'the release in use as JSON, for scripts' },
  result: ({ data }) => ({
    facts: [
      ['Release', { text: data.stamp, tone: 'strong' }],
      ['Date', data.date],
      ['Checks', { text: data.checks, tone: data.checks === 'passed' ? 'plain' : 'warn' }],
      ['Published', formatInstant(data.published_at)],
    ],
    tables: [
      makeTable({
        name: 'release',
        columns: [{ key: 'date' }, { key: 'checks' }, { key: 'published_at' }, { key: 'stamp' }],
        shownKeys: [],
        records: () => [data],
      }),
    ],
  }),
});
