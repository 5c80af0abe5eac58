import { fields } from '../../../output/blocks.ts';
import { pick } from '../../../output/rows.ts';
import { requireDirectory } from '../../../platform/directories.ts';
import type { UtilityCommand } from '../utility.ts';

const dataUse: UtilityCommand = {
  name: 'data use',
  summary: 'Choose the release to use',
  help: 'Takes a stamp, or the beginning of exactly one. A build makes its own release the one that answers.',
  args: [{ name: 'stamp', help: 'the release to answer from' }],
  options: [],
  examples: [],
  run: async ({ args: [wanted = ''], io, ports }) => {
    const directory = requireDirectory('data', io.env);
    const { useRelease } = await ports.releases();
    const chosen = await useRelease(directory, wanted);
    return {
      json: chosen,
      rows: pick(['stamp', 'directory'], [chosen]),
      view: [
        fields([
          ['Answers', { text: chosen.stamp, tone: 'strong' }],
          ['Directory', chosen.directory],
        ]),
      ],
    };
  },
};

export default dataUse;
