/** The stored profile that a utility command shows or changes. */
import { chooseProfileName, findProfile, type Profile, readSettings } from '../../client/settings.ts';
import { failUsage } from '../../contract/failure.ts';
import { quoteShellWord } from '../../contract/text/quote.ts';
import { requireDirectory } from '../../platform/files/directories.ts';
import type { UtilityCall } from '../command-line/utility.ts';

const PROFILE_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function findStoredProfile({ globals, io }: Pick<UtilityCall, 'globals' | 'io'>) {
  const directory = requireDirectory('config', io.env);
  const settings = readSettings(directory);
  const name = chooseProfileName(globals.profile, io.env, settings);
  if (!PROFILE_NAME_PATTERN.test(name) || name in Object.prototype) {
    failUsage(
      `${JSON.stringify(name)} is not a valid profile name.`,
      'Use at most 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
    );
  }
  /** The settings of the profile; empty if no profile has that name. */
  const profile: Profile = findProfile(settings, name) ?? {};
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
