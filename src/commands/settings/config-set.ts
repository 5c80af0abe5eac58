import type { UtilityCommand } from '../utility.ts';
import { settingOf, settingsHome } from './settings-home.ts';

const configSet: UtilityCommand = {
  name: 'config set',
  summary: 'Set, or without a value remove, one setting of the profile',
  args: [
    { name: 'name', help: 'base_url, account, contact or output' },
    { name: 'value', help: 'Its value; without one the setting is removed', optional: true },
  ],
  options: [],
  examples: [
    { line: 'config set base_url https://filings.example', shows: 'nothing; questions go there from now on' },
    { line: 'config set output csv --profile nightly', shows: 'nothing; the profile nightly answers as CSV' },
  ],
  run: async (call) => {
    const [name = '', value] = call.args;
    const { key, check } = settingOf(name);
    const checked = value === undefined ? undefined : check(value);
    const { directory, name: profile } = settingsHome(call);
    const { changeSettings, withProfile } = await import('../../client/settings-store.ts');
    await changeSettings(directory, (settings) => withProfile(settings, profile, { [key]: checked }));
    return undefined;
  },
};

export default configSet;
