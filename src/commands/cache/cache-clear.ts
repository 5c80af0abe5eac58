import { clearCache } from '../../client/cache/sweep.ts';
import { Failure } from '../../contract/failure.ts';
import { note } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import type { UtilityCommand } from '../utility.ts';
import { cachePlace } from './cache-place.ts';

const cacheClear: UtilityCommand = {
  name: 'cache clear',
  summary: 'Remove all held answers',
  args: [],
  options: [],
  examples: [{ line: 'cache clear', shows: 'how many answers went' }],
  run: async (call) => {
    const place = cachePlace(call);
    try {
      const removed = clearCache(place);
      return {
        json: { removed },
        rows: pick(['removed'], [{ removed }]),
        view: [note(`Removed ${removed} held answers.`)],
      };
    } catch (cause) {
      throw new Failure('usage', `The held answers in ${place} cannot be removed.`, {
        cause,
        hint: 'Check who owns them.',
      });
    }
  },
};

export default cacheClear;
