import { createClient } from '../../client/client.ts';
import { parseBaseUrl } from '../../client/destination.ts';
import type { ClientEvent } from '../../client/events.ts';
import { isKey, maskKey } from '../../client/key.ts';
import { Failure } from '../../contract/failure.ts';
import { parseQuestion } from '../../contract/question/question.ts';
import { note } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { findDirectories } from '../../platform/directories.ts';
import { configSet, settingsHome } from '../settings/settings-home.ts';
import type { UtilityCall, UtilityCommand } from '../utility.ts';
import { askSecret, noKey } from './ask-secret.ts';

const authLogin: UtilityCommand = {
  name: 'auth login',
  summary: 'Store an API key for its service',
  help:
    'Asks for the key without showing it, or reads the first line of standard input. The key is tried once against\n' +
    '/v1/release, then kept in the settings (mode 0600), and sent to this one service only.',
  args: [],
  options: [{ name: 'account', value: 'name', help: 'Name of the account, when several of its keys are used here' }],
  examples: [
    { line: 'auth login --base-url https://filings.example', shows: 'whose limits the key has' },
    { line: 'auth login < key.txt', shows: 'the same, without a terminal' },
  ],
  run: async (call) => {
    const { globals, io, options } = call;
    const { directory, name, profile } = settingsHome(call);
    const address = globals.baseUrl ?? (globals.profile === null ? io.env.FIN_BASE_URL : undefined) ?? profile.base_url;
    if (address === undefined || address === '') {
      throw new Failure('usage', 'A key belongs to a service; say whose it is.', {
        hint: 'fin auth login --base-url https://…',
      });
    }
    const { baseUrl, origin } = parseBaseUrl(address);
    const key = await askSecret(io, `API key for ${origin} (it is not shown):`);
    if (key === '') throw noKey();
    if (!isKey(key)) {
      throw new Failure('key', 'That is not an API key.', {
        hint: 'A key is a lower-case prefix, an underscore, and 38 letters and digits. Nothing was sent or stored.',
      });
    }
    const limits = await tryKey(baseUrl, key, call);
    const { changeSettings, withProfile } = await import('../../client/settings-store.ts');
    const account = typeof options.account === 'string' ? { account: options.account } : {};
    await changeSettings(directory, (settings) =>
      withProfile(settings, name, { base_url: baseUrl, api_key: key, api_key_origin: origin, ...account }),
    );
    const json = { profile: name, base_url: baseUrl, key: maskKey(key), limits };
    return {
      json,
      rows: pick(['profile', 'base_url', 'key', 'limits'], [json]),
      view: [
        note(`The key ${maskKey(key)} is good at ${origin}; it is stored in the profile ${name}.`),
        note(
          `Questions of this profile now go there. To ask the data on this machine: --base-url local: once, ${configSet(globals, 'base_url', 'local:')} from now on. fin auth logout says how to have the sample back.`,
        ),
        ...(limits === null ? [] : [note(`Its account's limits, shared by all keys of the account: ${limits}.`)]),
      ],
    };
  },
};

/** Asks once, with nothing held; throws the Failure of a key that is refused. What remains, in words, or null. */
async function tryKey(
  baseUrl: string,
  key: string,
  { io, report: tell }: Pick<UtilityCall, 'io' | 'report'>,
): Promise<string | null> {
  let remaining: Extract<ClientEvent, { type: 'remaining' }> | null = null;
  const report = (event: ClientEvent) => {
    if (event.type === 'remaining') remaining = event;
    tell(event);
  };
  const options = { noCache: true, signal: io.signal };
  const client = createClient({ baseUrl, key, directories: findDirectories(io.env), options, env: io.env, report });
  try {
    await client.ask(parseQuestion('release', []));
  } finally {
    await client.close();
  }
  return describe(remaining);
}

function describe(event: Extract<ClientEvent, { type: 'remaining' }> | null): string | null {
  if (event === null) return null;
  return event.remainders
    .map(({ name, remaining }) => {
      const quota = event.policies.find((policy) => policy.name === name)?.quota;
      return `${name} ${remaining}${quota === undefined ? '' : ` of ${quota}`} left`;
    })
    .join(', ');
}

export default authLogin;
