import type { UtilityCommand } from '../utility.ts';
import { cachePlace } from './cache-place.ts';

const cachePath: UtilityCommand = {
  name: 'cache path',
  summary: 'Print the directory of held answers',
  args: [],
  options: [],
  examples: [{ line: 'cache path', shows: 'the directory, for scripts' }],
  run: async (call) => {
    call.io.print(`${cachePlace(call)}\n`);
    return undefined;
  },
};

export default cachePath;
