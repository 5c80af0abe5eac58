import type { UtilityCommand } from '../utility.ts';
import { settingOf, settingsHome } from './settings-home.ts';

const configGet: UtilityCommand = {
  name: 'config get',
  summary: 'Print one setting of the profile',
  args: [{ name: 'name', help: 'base_url, account, contact or output' }],
  options: [],
  examples: [{ line: 'config get base_url', shows: 'the address of the service; nothing where none is set' }],
  run: async (call) => {
    const { key } = settingOf(call.args[0] ?? '');
    const value = settingsHome(call).profile[key];
    if (value !== undefined) call.io.print(`${value}\n`);
    return undefined;
  },
};

export default configGet;
