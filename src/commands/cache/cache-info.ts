import { readCacheTotals } from '../../client/cache/sweep.ts';
import { fields } from '../../output/blocks.ts';
import { formatInstant } from '../../output/format-values.ts';
import { pick } from '../../output/rows.ts';
import type { UtilityCommand } from '../utility.ts';
import { cachePlace } from './cache-place.ts';

const cacheInfo: UtilityCommand = {
  name: 'cache info',
  summary: 'Show how many answers are held, and where',
  help: 'Answers are held up to FIN_CACHE_MAX_MB megabytes (256); those longest unused go first.',
  args: [],
  options: [],
  examples: [{ line: 'cache info', shows: 'the directory, the count and the size' }],
  run: async (call) => {
    const place = cachePlace(call);
    const { entries, bytes, oldest } = readCacheTotals(place);
    const json = { path: place, entries, bytes, oldest_use: oldest === null ? null : new Date(oldest).toISOString() };
    return {
      json,
      rows: pick(['path', 'entries', 'bytes', 'oldest_use'], [json]),
      view: [
        fields([
          ['Directory', place],
          ['Answers held', entries],
          ['Bytes', bytes],
          ['Longest unused', formatInstant(json.oldest_use)],
        ]),
      ],
    };
  },
};

export default cacheInfo;
