/** The settings that utility commands show and change: the file, the profile, and what may stand in it. */
import { LOCAL, parseBaseUrl } from '../../client/destination.ts';
import { type Profile, readSettings, type Settings } from '../../client/settings.ts';
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { shellWord } from '../../contract/quote.ts';
import { checkContact } from '../../edgar/fetch/contact.ts';
import { findDirectories } from '../../platform/directories.ts';
import { FORMATS } from '../command-line/global-options.ts';
import type { UtilityCall } from '../utility.ts';

/** The command that sets one setting of the profile spoken of, or without a value removes it. */
export function configSet({ profile }: UtilityCall['globals'], name: string, value = ''): string {
  const words = ['fin config set', name, value, profile === null ? '' : `--profile ${shellWord(profile)}`];
  return words.filter((word) => word !== '').join(' ');
}

export interface SettingsHome {
  readonly directory: string;
  readonly settings: Settings;
  /** The profile that the command speaks of; it may not stand yet. */
  readonly name: string;
  readonly profile: Profile;
}

export function settingsHome({ globals, io }: Pick<UtilityCall, 'globals' | 'io'>): SettingsHome {
  const directory = findDirectories(io.env).config;
  if (directory === null) {
    throw new Failure('usage', 'There is no directory for settings: HOME is not set.', {
      hint: 'Set FIN_CONFIG_DIR to a directory of your own.',
    });
  }
  const settings = readSettings(directory);
  const name = globals.profile ?? (io.env.FIN_PROFILE || settings.profile) ?? 'default';
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) || name in Object.prototype) {
    throw new Failure('usage', `${JSON.stringify(name)} is no name for a profile.`, {
      hint: 'Use letters, digits, dots, dashes and underscores.',
    });
  }
  return { directory, settings, name, profile: settings.profiles[name] ?? {} };
}

/** What `fin config set` takes, each with the check of its value. */
const SETTINGS: Readonly<Record<string, { readonly key: keyof Profile; readonly check: (value: string) => string }>> = {
  base_url: { key: 'base_url', check: (value) => (value === LOCAL ? value : parseBaseUrl(value).baseUrl) },
  account: { key: 'account', check: (value) => value },
  contact: { key: 'contact', check: checkContact },
  output: {
    key: 'output',
    check: (value) => {
      if ((FORMATS as readonly string[]).includes(value)) return value;
      throw new Failure('usage', `output ${JSON.stringify(value)} is not known. Use ${FORMATS.join(', ')}.`);
    },
  },
};

export const SETTING_NAMES = Object.keys(SETTINGS);

export function settingOf(name: string) {
  const setting = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (setting !== undefined) return setting;
  if (name === 'api_key') {
    throw new Failure('usage', 'A key is never taken from an argument.', { hint: 'Store it with: fin auth login' });
  }
  throw new Failure('usage', `There is no setting ${JSON.stringify(name)}.${didYouMean(name, SETTING_NAMES)}`, {
    hint: `There are ${SETTING_NAMES.join(', ')}.`,
  });
}
