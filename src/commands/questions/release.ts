import { fields } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { formatInstant } from '../../output/wording.ts';
import { command } from '../command.ts';

export default command({
  operation: 'release',
  args: [],
  examples: [
    { line: 'release', shows: 'the release in use' },
    { line: 'release --json', shows: 'the same, for scripts' },
  ],
  view: ({ data }) => [
    fields([
      ['Release', { text: data.stamp, tone: 'strong' }],
      ['Date', data.date],
      ['Checks', { text: data.checks, tone: data.checks === 'passed' ? 'plain' : 'warn' }],
      ['Published', formatInstant(data.published_at)],
    ]),
  ],
  rows: ({ data }) => pick(['date', 'checks', 'published_at', 'stamp'], [data]),
});
