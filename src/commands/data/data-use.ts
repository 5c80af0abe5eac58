import { join } from 'node:path';
import { fields } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { useRelease } from '../../release/store/home.ts';
import type { UtilityCommand } from '../utility.ts';
import { homeOf } from './data-home.ts';

const dataUse: UtilityCommand = {
  name: 'data use',
  summary: 'Choose the release that answers',
  help: 'Takes a stamp, or the beginning of one that no other release shares. A build makes its own release the one that answers.',
  args: [{ name: 'stamp', help: 'the release to answer from' }],
  options: [],
  examples: [],
  run: async (call) => {
    const home = homeOf(call);
    const stamp = await useRelease(home, call.args[0] ?? '');
    const chosen = { stamp, directory: join(home, stamp) };
    return {
      json: chosen,
      rows: pick(['stamp', 'directory'], [chosen]),
      view: [
        fields([
          ['Answers', { text: stamp, tone: 'strong' }],
          ['Where', chosen.directory],
        ]),
      ],
    };
  },
};

export default dataUse;
