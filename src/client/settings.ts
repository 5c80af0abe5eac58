/**
 * Profiles as they stand on the disk, read without the store's own code: every command reads them,
 * few write (settings-store.ts).
 */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../contract/failure.ts';
import { isMissing, systemFailure } from '../platform/system-error.ts';

export interface Profile {
  readonly base_url?: string;
  readonly api_key?: string;
  /** The only origin that key is sent to. */
  readonly api_key_origin?: string;
  /** Keys of one account share its budget and its held answers. */
  readonly account?: string;
  readonly output?: string;
  /** Name and e-mail that the site of public files is told. */
  readonly contact?: string;
}

export interface Settings {
  /** The profile used when none is named. */
  readonly profile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export const SETTINGS_NAME = 'config';

export function settingsFile(directory: string): string {
  return join(directory, `${SETTINGS_NAME}.json`);
}

const NOTHING: Settings = { profiles: {} };

/** The settings in a config directory; none where there is no file. A file that cannot be read is said, not passed over. */
export function readSettings(directory: string | null): Settings {
  if (directory === null) return NOTHING;
  const file = settingsFile(directory);
  let text: string;
  try {
    // Most have no settings, and making an error of that takes longer than looking.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return NOTHING;
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return NOTHING;
    throw systemFailure('usage', `The settings in ${file} cannot be read`, cause);
  }
  return parseSettings(text, file);
}

export function parseSettings(text: string, file: string): Settings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message would quote the file, and a key may stand in it.
    throw new Failure('usage', `The settings in ${file} are not JSON.`, { hint: 'Mend the file, or move it away.' });
  }
  const { profile, profiles } = isRecord(value) ? value : {};
  const entries = Object.entries(isRecord(profiles) ? profiles : {}).map(([name, held]) => [name, texts(held)]);
  return { profiles: Object.fromEntries(entries), ...(typeof profile === 'string' ? { profile } : {}) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entries that are text: all that a profile holds. */
function texts(value: unknown): Profile {
  return Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter(([, held]) => typeof held === 'string'),
  );
}
