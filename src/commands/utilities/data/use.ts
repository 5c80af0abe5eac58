import { requireDirectory } from '../../../platform/directories.ts';
import { makeFieldsBlock } from '../../../result/blocks.ts';
import { pickFields } from '../../../result/rows.ts';
import type { UtilityCommand } from '../utility.ts';

const dataUseCommand: UtilityCommand = {
  local: true,
  help: 'After a build or a pull, the new release is in use without this command. To list the stamps: fin data status',
  args: [{ name: 'stamp', help: 'Stamp of the release to use, or the first characters of the stamp' }],
  options: [],
  examples: [{ line: 'data use 2026-08-18', shows: 'the release with that date' }],
  run: async ({ args: [releaseName = ''], io, ports }) => {
    const directory = requireDirectory('data', io.env);
    const { useRelease } = await ports.releases();
    const chosenRelease = await useRelease(directory, releaseName);
    return {
      json: chosenRelease,
      rows: pickFields(['stamp', 'directory'], [chosenRelease]),
      view: [
        makeFieldsBlock([
          ['Release in use', { text: chosenRelease.stamp, tone: 'strong' }],
          ['Directory', chosenRelease.directory],
        ]),
      ],
    };
  },
};

export default dataUseCommand;
