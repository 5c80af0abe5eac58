import { LOCAL } from '../../client/destination.ts';
import type { Profile } from '../../client/settings.ts';
import { note } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import { configSet, settingsHome } from '../settings/settings-home.ts';
import type { UtilityCommand } from '../utility.ts';

const authLogout: UtilityCommand = {
  name: 'auth logout',
  summary: 'Remove the stored API key of the profile',
  args: [],
  options: [],
  examples: [{ line: 'auth logout', shows: 'whether there was one' }],
  run: async (call) => {
    const { directory, name, profile } = settingsHome(call);
    const removed = profile.api_key !== undefined;
    if (removed) {
      const { changeSettings, withProfile } = await import('../../client/settings-store.ts');
      await changeSettings(directory, (settings) =>
        withProfile(settings, name, { api_key: undefined, api_key_origin: undefined }),
      );
    }
    for (const variable of ['FIN_API_KEY', 'FIN_API_KEY_COMMAND']) {
      if (call.io.env[variable]) call.io.log(`Warning: ${variable} is set, and still gives a key.`);
    }
    const said = removed ? `The key of the profile ${name} is removed.` : `The profile ${name} holds no key.`;
    const more = 'It stays good at its service until it is revoked there.';
    return {
      json: { profile: name, removed },
      rows: pick(['profile', 'removed'], [{ profile: name, removed }]),
      view: [note(removed ? `${said} ${more}` : said), ...whereTo(profile, call.globals)],
    };
  },
};

/** Where questions go without the key, and how to be as before any login: the sample answers where nothing is set. */
function whereTo(profile: Profile, globals: GlobalOptions) {
  if (profile.base_url === undefined) return [];
  const set = (['base_url', 'account'] as const).filter((name) => profile[name] !== undefined);
  const unset = set.map((name) => configSet(globals, name)).join(' and ');
  const to = profile.base_url === LOCAL ? 'local:, the data on this machine' : profile.base_url;
  const back = profile.base_url === LOCAL ? 'To have the sample too' : 'To ask this machine again';
  return [note(`Its questions still go to ${to}. ${back}: ${unset}, without a value.`)];
}

export default authLogout;
