import { maskKey } from '../../client/key.ts';
import { note, table } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import type { UtilityCommand } from '../utility.ts';
import { settingsHome } from './settings-home.ts';

const configList: UtilityCommand = {
  name: 'config list',
  summary: 'Show the settings of every profile',
  args: [],
  options: [],
  examples: [{ line: 'config list', shows: 'profiles and their settings; keys masked' }],
  run: async (call) => {
    const { settings } = settingsHome(call);
    const rows = Object.entries(settings.profiles).flatMap(([profile, entries]) =>
      Object.entries(entries).map(([name, value]) => ({
        profile,
        name,
        value: name === 'api_key' ? maskKey(value) : value,
      })),
    );
    return {
      json: rows,
      rows: pick(['profile', 'name', 'value'], rows),
      view:
        rows.length === 0
          ? [note('Nothing is set. Begin with: fin config set base_url <url>')]
          : [
              table(
                [
                  { key: 'profile', title: 'Profile' },
                  { key: 'name', title: 'Setting' },
                  { key: 'value', title: 'Value' },
                ],
                rows.map(({ profile, name, value }) => [profile, name, value]),
              ),
            ],
    };
  },
};

export default configList;
