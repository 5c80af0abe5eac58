import { settingsFile } from '../../client/settings.ts';
import type { UtilityCommand } from '../utility.ts';
import { settingsHome } from './settings-home.ts';

const configPath: UtilityCommand = {
  name: 'config path',
  summary: 'Print the file of the settings',
  args: [],
  options: [],
  examples: [{ line: 'config path', shows: 'the file, for scripts' }],
  run: async (call) => {
    call.io.print(`${settingsFile(settingsHome(call).directory)}\n`);
    return undefined;
  },
};

export default configPath;
