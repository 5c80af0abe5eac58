/** `fin config get|set|list|path`. */
import { resolve } from 'node:path';
import { LOCAL_URL, parseBaseUrl, refuseContradictoryKind } from '../../client/destination.ts';
import { maskKey } from '../../client/key.ts';
import type { Profile } from '../../client/settings.ts';
import { changeSettings, findProfileName, findSettingsFile, readSettings, withProfile } from '../../client/settings.ts';
import { failUsage } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { formatAlternatives, quoteShellWord } from '../../contract/text/quote.ts';
import { checkAddress } from '../../http/addresses.ts';
import { parseContact } from '../../http/sec/site.ts';
import { requireDirectory } from '../../platform/files/directories.ts';
import { readInputText } from '../../platform/files/input-text.ts';
import { makeSystemFailure } from '../../platform/files/system-error.ts';
import { OUTPUT_FORMAT_NAMES } from '../../render/formats.ts';
import { makeNoteBlock, makeRecordTable } from '../../result/blocks.ts';
import { pickFields } from '../../result/rows.ts';
import type { UtilityCall, UtilityCommand } from '../command-line/utility.ts';

const PROFILE_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function findStoredProfile({ globals, io }: Pick<UtilityCall, 'globals' | 'io'>) {
  const directory = requireDirectory('config', io.env);
  const settings = readSettings(directory);
  const name = findProfileName(globals.profile, io.env, settings);
  if (!PROFILE_NAME_PATTERN.test(name) || name in Object.prototype) {
    const hint = 'Use at most 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.';
    failUsage(`${JSON.stringify(name)} is not a valid profile name.`, hint);
  }
  /** The settings of the profile; empty if no profile has that name. */
  const profile: Profile = settings.profiles[name] ?? {};
  return { directory, settings, name, profile };
}

/**
 * Returns the `fin config set` command that stores a setting in the call's profile; without a value, the command
 * removes the setting.
 */
export function formatConfigSetCommand({ profile }: UtilityCall['globals'], setting: string, value = ''): string {
  const words = ['fin config set', setting, value, profile === null ? '' : `--profile ${quoteShellWord(profile)}`];
  return words.filter((word) => word !== '').join(' ');
}

/** Functions that check a value for `fin config set` and return the value to store, by setting. */
const SETTING_CHECKS = {
  base_url: (value: string) => (value === LOCAL_URL ? value : parseBaseUrl(value).baseUrl),
  account: (value: string) => value,
  contact: parseContact,
  document_origin: (value: string) => new URL(checkAddress(value, 'origin of documents')).origin,
  ca_file: resolveAuthoritiesFile,
  public_key: (value: string) => {
    if (/^[A-Za-z0-9+/]{43}=$/.test(value)) return value;
    const hint = 'A public key has 44 characters; "fin data keygen" prints it.';
    failUsage(`public_key ${JSON.stringify(value)} is not a public key.`, hint);
  },
  // Without this setting, fin detects the kind of address by a request.
  kind: (value: string) => requireOneOf('kind', value, ['service', 'release']),
  output: (value: string) => requireOneOf('output', value, OUTPUT_FORMAT_NAMES),
} satisfies Partial<Record<keyof Profile, (value: string) => string>>;

function requireOneOf(setting: string, value: string, values: readonly string[]): string {
  if (values.includes(value)) return value;
  failUsage(`Unknown value ${JSON.stringify(value)} for ${setting}. Use ${formatAlternatives(values)}.`);
}

/** Returns an absolute path, because the stored setting may later be used from any directory. */
function resolveAuthoritiesFile(value: string): string {
  const path = resolve(value);
  try {
    if (readInputText(path).includes('-----BEGIN CERTIFICATE-----')) return path;
  } catch (cause) {
    throw makeSystemFailure('usage', `ca_file: ${JSON.stringify(value)} cannot be read`, cause);
  }
  failUsage(`ca_file: ${JSON.stringify(value)} contains no certificate in PEM form.`);
}

type SettingName = keyof typeof SETTING_CHECKS;

const SETTING_NAMES = Object.keys(SETTING_CHECKS) as SettingName[];
const SETTING_NAMES_TEXT = formatAlternatives(SETTING_NAMES);

function parseSettingName(text: string): SettingName {
  const name = SETTING_NAMES.find((knownName) => knownName === text);
  if (name !== undefined) return name;
  if (text === 'api_key') {
    const hint = 'To store a key: fin auth login. To see the masked key: fin auth status';
    failUsage('The setting api_key can be neither read nor changed with "fin config".', hint);
  }
  failUsage(`Unknown setting ${JSON.stringify(text)}.${didYouMean(text, SETTING_NAMES)}`, `Use ${SETTING_NAMES_TEXT}.`);
}

export const configGetCommand: UtilityCommand = {
  args: [{ name: 'name', help: SETTING_NAMES_TEXT, values: SETTING_NAMES }],
  examples: { 'config get base_url': 'the address of the service; prints nothing if no address is set' },
  run: async (call) => {
    const [setting = ''] = call.args;
    const value = findStoredProfile(call).profile[parseSettingName(setting)];
    if (value !== undefined) call.io.print(`${value}\n`);
  },
};

export const configSetCommand: UtilityCommand = {
  args: [
    { name: 'name', help: SETTING_NAMES_TEXT, values: SETTING_NAMES },
    { name: 'value', help: 'New value; without a value the setting is removed', optional: true },
  ],
  examples: {
    'config set base_url https://filings.example': 'uses this service from now on',
    'config set output csv --profile nightly': 'makes CSV the output format of the profile "nightly"',
    'config set kind release': 'declares that the address is a published release, which needs no key',
  },
  run: async (call) => {
    const [text = '', value] = call.args;
    const setting = parseSettingName(text);
    const newValue = value === undefined ? undefined : SETTING_CHECKS[setting](value);
    const { directory, name: profile } = findStoredProfile(call);
    await changeSettings(directory, (settings) => {
      const newSettings = withProfile(settings, profile, { [setting]: newValue });
      refuseContradictoryKind(newSettings.profiles[profile] ?? {}, profile);
      return newSettings;
    });
  },
};

const NO_SETTINGS_NOTE = 'No settings are stored yet. To set the address of a service: fin config set base_url <url>';
const COLUMNS = { profile: 'Profile', name: 'Setting', value: 'Value' };

export const configListCommand: UtilityCommand = {
  examples: { 'config list': 'profiles and their settings, with masked keys' },
  run: async (call) => {
    const { settings } = findStoredProfile(call);
    const rows = Object.entries(settings.profiles).flatMap(([profile, entries]) =>
      Object.entries(entries).map(([name, text]) => {
        return { profile, name, value: name === 'api_key' ? maskKey(text) : text };
      }),
    );
    return {
      json: rows,
      rows: pickFields(Object.keys(COLUMNS), rows),
      view: [rows.length === 0 ? makeNoteBlock(NO_SETTINGS_NOTE) : makeRecordTable(COLUMNS, rows)],
    };
  },
};

export const configPathCommand: UtilityCommand = {
  examples: { 'config path': 'the path of the settings file, for scripts' },
  run: async (call) => {
    call.io.print(`${findSettingsFile(findStoredProfile(call).directory)}\n`);
  },
};
