import { requireDirectory } from '../../../platform/directories.ts';
import { fields } from '../../../result/blocks.ts';
import { pick } from '../../../result/rows.ts';
import type { UtilityCommand } from '../utility.ts';

const dataUse: UtilityCommand = {
  local: true,
  help: 'A build puts its own release to use. The stamps: fin data status.',
  args: [{ name: 'stamp', help: 'Release to use, or the beginning of its stamp' }],
  options: [],
  examples: [{ line: 'data use 2026-08-18', shows: 'the release of that day, where there is one' }],
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
