import { statSync } from 'node:fs';
import { findDestination } from '../../client/destination.ts';
import { describeKeySource, maskKey, readKey } from '../../client/key.ts';
import { settingsFile } from '../../client/settings.ts';
import { fields, note } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { settingsHome } from '../settings/settings-home.ts';
import type { UtilityCommand } from '../utility.ts';

const authStatus: UtilityCommand = {
  name: 'auth status',
  summary: 'Show where questions go, and which key goes with them',
  args: [],
  options: [],
  examples: [{ line: 'auth status', shows: 'the address, the source of the key, and the key masked' }],
  run: async (call) => {
    const { globals, io } = call;
    const { directory, settings, profile } = settingsHome(call);
    const destination = findDestination(globals, io.env, settings);
    const toService = destination.to === 'service' ? destination : null;
    const source = toService?.key ?? null;
    const key = source === null ? null : await readKey(source);
    const warnings = [
      ...(toService?.withheld == null ? [] : [toService.withheld]),
      ...(source !== null && source.from !== 'profile' && profile.api_key !== undefined
        ? [
            `The key stored in the profile ${destination.profile} is not used: ${describeKeySource(source)} comes before it.`,
          ]
        : []),
      ...looseMode(settingsFile(directory)),
    ];
    for (const warning of warnings) io.log(`Warning: ${warning}`);
    const json = {
      profile: destination.profile,
      base_url: toService?.baseUrl ?? 'local:',
      key_source: source === null ? null : describeKeySource(source),
      key: key === null ? null : maskKey(key),
      account: toService?.account ?? null,
      warnings,
    };
    return {
      json,
      rows: pick(['profile', 'base_url', 'key_source', 'key', 'account', 'warnings'], [json]),
      view: [
        fields([
          ['Profile', json.profile],
          ['Questions go to', json.base_url === 'local:' ? 'local: the data on this machine' : json.base_url],
          ['Key', json.key],
          ['Read from', json.key_source],
        ]),
        ...(toService !== null && key === null ? [note('No key is sent. Store one with: fin auth login')] : []),
      ],
    };
  },
};

function looseMode(file: string): string[] {
  try {
    const { mode } = statSync(file);
    if (process.platform === 'win32' || (mode & 0o077) === 0) return [];
    return [`Others can read ${file} (mode ${(mode & 0o777).toString(8)}). Close it: chmod 600 ${file}`];
  } catch {
    return [];
  }
}

export default authStatus;
