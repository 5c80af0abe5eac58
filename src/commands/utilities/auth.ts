/** `fin auth login|status|logout`. */

import { statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { createClient } from '../../client/client.ts';
import { findConnectionTarget } from '../../client/connection.ts';
import { type Destination, LOCAL_URL, parseBaseUrl } from '../../client/destination.ts';
import { describeSource, isKey, KEY_FORMAT_TEXT, maskKey, readKey } from '../../client/key.ts';
import type { ClientEvent } from '../../client/request/events.ts';
import type { Profile } from '../../client/settings.ts';
import { changeSettings, findSettingsFile, removeTemporarySettingsFiles, withProfile } from '../../client/settings.ts';
import { Failure, failUsage } from '../../contract/failure.ts';
import { parseQuestion } from '../../contract/question.ts';
import { quoteShellWord } from '../../contract/text/quote.ts';
import { findDirectories } from '../../platform/files/directories.ts';
import { makeFieldsBlock, makeNoteBlock } from '../../result/blocks.ts';
import { pickFields } from '../../result/rows.ts';
import type { Io } from '../command-line/io.ts';
import type { UtilityCall, UtilityCommand } from '../command-line/utility.ts';
import { findStoredProfile, formatConfigSetCommand } from './config.ts';

type LimitsEvent = Extract<ClientEvent, { type: 'remaining' }>;

const NAME_HELP = 'Name of the account; the rate limiter counts the requests of all its keys on this machine together';

export const authLoginCommand: UtilityCommand = {
  help:
    'Prompts for the key without showing it, or reads the first line of standard input. Tests the key with one request\n' +
    'for /v1/release. If the service accepts the key, stores it in the settings (mode 0600). A stored key is sent only to the\n' +
    'service that accepted it.',
  options: [{ name: 'account', value: 'name', help: NAME_HELP }],
  examples: {
    'auth login --base-url https://filings.example': 'stores the key, and shows the limits of its account',
    'auth login < key.txt': 'stores the key that a file contains',
  },
  run: async (call) => {
    const { globals, io, options } = call;
    const { directory, name, profile } = findStoredProfile(call);
    const address = findAddress(call, profile);
    if (!address) failUsage('No address is set for the service to which the key belongs.', ADDRESS_HINT);
    const { baseUrl, origin } = parseBaseUrl(address);
    const key = await readKeyFromInput(io, `API key for ${origin} (not shown as you type):`);
    if (key === '') throw makeNoKeyFailure();
    if (!isKey(key)) {
      const hint = `${KEY_FORMAT_TEXT} Nothing was sent or stored.`;
      throw new Failure('key', 'The text given is not an API key.', { hint });
    }
    const limitText = await verifyKeyAndDescribeLimits(baseUrl, key, call);
    const account = typeof options.account === 'string' ? { account: options.account } : {};
    const entries = { base_url: baseUrl, api_key: key, api_key_origin: origin, ...account };
    await changeSettings(directory, (settings) => withProfile(settings, name, entries));
    const json = { profile: name, base_url: baseUrl, key: maskKey(key), limits: limitText };
    return {
      json,
      rows: pickFields(['profile', 'base_url', 'key', 'limits'], [json]),
      view: [
        makeNoteBlock(`${origin} accepted the key ${maskKey(key)}, which is now stored in the profile ${name}.`),
        makeNoteBlock(
          `Commands with this profile now use that service. To use the data on this machine, add "--base-url local:" to a command. To use that data always: ${formatConfigSetCommand(globals, 'base_url', LOCAL_URL)}`,
        ),
        ...(limitText === null ? [] : [makeNoteBlock(`Limits of the account, shared by all its keys: ${limitText}.`)]),
      ],
    };
  },
};

const ADDRESS_HINT = 'Give the address of the service: fin auth login --base-url https://…';

/** Returns the address that commands with the profile use; undefined if no address is set. */
function findAddress({ globals, io }: UtilityCall, profile: Profile): string | undefined {
  const address = globals.profile === null && io.env.FIN_BASE_URL ? io.env.FIN_BASE_URL : undefined;
  return globals.baseUrl ?? address ?? profile.base_url;
}

/**
 * Verifies a key by requesting the release, bypassing the cache. Returns the account's limits as text, or null. Throws
 * the Failure of a rejected key.
 */
async function verifyKeyAndDescribeLimits(baseUrl: string, key: string, { io, report }: UtilityCall) {
  const events: LimitsEvent[] = [];
  const onEvent = (event: ClientEvent) => {
    if (event.type === 'remaining') events.push(event);
    report(event);
  };
  const { env, signal } = io;
  const setup = { baseUrl, key, directories: findDirectories(env), options: { noCache: true, signal } };
  const client = createClient({ ...setup, env, report: onEvent });
  try {
    await client.ask(parseQuestion('release', []));
  } finally {
    await client.close();
  }
  const lastEvent = events.at(-1);
  return lastEvent === undefined ? null : describeLimits(lastEvent);
}

const describeLimits = ({ remainders, policies }: LimitsEvent): string =>
  remainders
    .map(({ name, remaining }) => {
      const quota = policies.find((policy) => policy.name === name)?.quota;
      return `${name} ${remaining}${quota === undefined ? '' : ` of ${quota}`} left`;
    })
    .join(', ');

/**
 * Reads one line from a terminal without echo, or the first line of stdin. At the end of input, throws a usage Failure
 * on a terminal, otherwise returns an empty text.
 */
async function readKeyFromInput(io: Io, prompt: string): Promise<string> {
  if (!io.inIsTerminal) {
    for await (const line of io.lines()) return line.trim();
    return '';
  }
  io.log(prompt);
  // readline echoes input to its output stream, so this stream discards everything.
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: io.input(), output: sink, terminal: true });
  return new Promise((resolve, reject) => {
    reader.once('line', (line) => {
      resolve(line.trim());
      reader.close();
    });
    reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const abandon = () => {
      reject(io.signal.reason);
      reader.close();
    };
    io.signal.addEventListener('abort', abandon, { once: true });
    reader.once('close', () => reject(makeNoKeyFailure()));
  });
}

const makeNoKeyFailure = (): Failure =>
  new Failure('usage', 'No API key was given. Nothing was sent or stored.', {
    hint: 'Paste the key at the prompt of fin auth login, or give a file with the key: fin auth login < key.txt',
  });

export const authStatusCommand: UtilityCommand = {
  examples: { 'auth status': 'the address, the source of the key, and the masked key' },
  run: async (call) => {
    const { globals, io } = call;
    const { directory } = findStoredProfile(call);
    const { destination } = findConnectionTarget(globals, io);
    const { profile } = destination;
    const service = destination.to === 'service' ? destination : null;
    const keySource = service?.key ?? null;
    const key = keySource === null ? null : await readKey(keySource, io.signal);
    const source = keySource === null ? null : describeSource(keySource);
    const overriddenText = `The key stored in the profile ${profile} is not used, because ${source} takes precedence.`;
    const warnings = [
      ...(service?.withheld == null ? [] : [service.withheld]),
      ...(source !== null && service?.isStoredKeyOverridden === true ? [overriddenText] : []),
      ...makeFileModeWarnings(findSettingsFile(directory)),
    ];
    for (const warning of warnings) io.log(`Warning: ${warning}`);
    const json = {
      profile,
      base_url: destination.to === 'local' ? LOCAL_URL : destination.baseUrl,
      key_source: source,
      key: key === null ? null : maskKey(key),
      account: service?.account ?? null,
      warnings,
    };
    return {
      json,
      rows: pickFields(['profile', 'base_url', 'key_source', 'key', 'account', 'warnings'], [json]),
      view: [
        makeFieldsBlock([
          ['Profile', json.profile],
          ['Service in use', describeService(destination)],
          ['Key', json.key],
          ['Source of the key', json.key_source],
        ]),
        ...(destination.to === 'published'
          ? [makeNoteBlock('This address is a static host with published releases, which needs no key.')]
          : []),
        ...(service !== null && key === null
          ? [makeNoteBlock('No key is sent. Store a key with: fin auth login')]
          : []),
      ],
    };
  },
};

function describeService(destination: Destination): string {
  if (destination.to !== 'local') return destination.baseUrl;
  return `local: the data on this machine${destination.isSampleAllowed ? ', or the built-in sample' : ''}`;
}

function makeFileModeWarnings(file: string): string[] {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return [];
  const bits = (mode & 0o777).toString(8);
  return [`Other users have access to ${file} (mode ${bits}). To prevent that: chmod 600 ${quoteShellWord(file)}`];
}

export const authLogoutCommand: UtilityCommand = {
  examples: { 'auth logout': 'removes the stored key' },
  run: async (call) => {
    const { directory, name, profile } = findStoredProfile(call);
    const isStored = profile.api_key !== undefined;
    if (isStored) {
      const noKey = { api_key: undefined, api_key_origin: undefined };
      await changeSettings(directory, (settings) => withProfile(settings, name, noKey));
    } else await removeTemporarySettingsFiles(directory);
    const mayAsk = findAddress(call, profile) !== LOCAL_URL;
    for (const variable of ['FIN_API_KEY', 'FIN_API_KEY_COMMAND']) {
      if (mayAsk && call.io.env[variable])
        call.io.log(`Warning: ${variable} is still set, so commands still have a key.`);
    }
    const outcome = isStored
      ? `The key of the profile ${name} was removed from this machine. It stays valid until the service revokes it.`
      : `The profile ${name} has no key.`;
    const json = { profile: name, removed: isStored };
    const view = [makeNoteBlock(outcome), ...makeAddressNotes(profile, call)];
    return { json, rows: pickFields(['profile', 'removed'], [json]), view };
  },
};

/**
 * Returns a note that commands still use the profile's address, and how to remove it; empty if no address is set. Even
 * the address `local:` matters, because it rules out the built-in sample.
 */
function makeAddressNotes(profile: Profile, { globals }: UtilityCall) {
  if (profile.base_url === undefined) return [];
  const storedNames = (['base_url', 'account'] as const).filter((name) => profile[name] !== undefined);
  const commands = storedNames.map((name) => formatConfigSetCommand(globals, name)).join(' and ');
  const isLocal = profile.base_url === LOCAL_URL;
  const address = isLocal ? 'the data on this machine (local:)' : profile.base_url;
  const advice = isLocal ? 'To allow the built-in sample again' : 'To use the data on this machine again';
  return [makeNoteBlock(`Commands with this profile still use ${address}. ${advice}: ${commands} (without a value)`)];
}
