/** The form of answers that a profile prefers. */

import { readSettings } from '../../client/settings.ts';
import { findDirectories } from '../../platform/directories.ts';

/** Settings that cannot be read are said where they are needed, when a service is asked; not here. */
export function profileOutput(
  named: string | null,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  try {
    const settings = readSettings(findDirectories(env).config);
    const name = named ?? (env.FIN_PROFILE || undefined) ?? settings.profile ?? 'default';
    return Object.hasOwn(settings.profiles, name) ? settings.profiles[name]?.output : undefined;
  } catch {
    return undefined;
  }
}
