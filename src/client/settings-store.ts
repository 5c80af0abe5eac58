/** Writes profiles; loaded only by the commands that change them. Reading needs none of it: settings.ts. */

import Conf from 'conf';
import { Failure } from '../contract/failure.ts';
import { makePrivate } from '../platform/directories.ts';
import { withLock } from '../platform/lock.ts';
import { codeOf, systemFailure } from '../platform/system-error.ts';
import { type Profile, readSettings, SETTINGS_NAME, type Settings } from './settings.ts';

/**
 * Changes the settings: `change` gets what stands on the disk and gives back what shall stand there.
 * Whole or not at all, mode 0600, one process at a time.
 */
export async function changeSettings(
  directory: string | null,
  change: (settings: Settings) => Settings,
): Promise<Settings> {
  if (directory === null) {
    throw new Failure('usage', 'There is no directory for settings: HOME is not set.', {
      hint: 'Set FIN_CONFIG_DIR to a directory of your own.',
    });
  }
  try {
    makePrivate(directory);
    return await withLock(directory, () => {
      const changed = change(readSettings(directory));
      const conf = new Conf<Record<string, unknown>>({
        cwd: directory,
        configName: SETTINGS_NAME,
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      });
      conf.store = { ...conf.store, profile: changed.profile ?? 'default', profiles: changed.profiles };
      return changed;
    });
  } catch (error) {
    if (codeOf(error) === null) throw error;
    throw systemFailure('usage', `The settings in ${directory} cannot be written`, error);
  }
}

/** The settings with one profile changed; an entry set to undefined is taken out. */
export function withProfile(
  settings: Settings,
  name: string,
  entries: Readonly<Record<keyof Profile, string | undefined> | Partial<Record<keyof Profile, string | undefined>>>,
): Settings {
  const merged = { ...settings.profiles[name], ...entries };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  return { ...settings, profiles: { ...settings.profiles, [name]: kept } };
}
