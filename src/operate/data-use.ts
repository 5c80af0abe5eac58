import { join } from 'node:path';
import type { UtilityCommand } from '../commands/command-line/utility.ts';
import { requireDirectory } from '../platform/files/directories.ts';
import { makeFieldsBlock } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';
import { getReleasesHome, makeReleaseCurrent } from '../store/releases/home.ts';

const dataUseCommand: UtilityCommand = {
  local: true,
  help: 'After a build or a pull, the new release is in use without this command. To list the stamps: fin data status',
  args: [{ name: 'stamp', help: 'Stamp of the release to use, or the first characters of the stamp' }],
  examples: { 'data use 2026-08-18': 'the release with that date' },
  run: async ({ args: [name = ''], io }) => {
    const home = getReleasesHome(requireDirectory('data', io.env));
    const stamp = await makeReleaseCurrent(home, name);
    const release = { stamp, directory: join(home, stamp) };
    return {
      json: release,
      rows: pickFields(['stamp', 'directory'], [release]),
      view: [
        makeFieldsBlock([
          ['Release in use', { text: stamp, tone: 'strong' }],
          ['Directory', release.directory],
        ]),
      ],
    };
  },
};

export default dataUseCommand;
