/**
 * Profiles, in one JSON file. Every command reads it, so reading is one read and one parse; `conf`, which writes it
 * whole or not at all, is loaded only by the commands that change it.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../contract/failure.ts';
import { findDirectories, makePrivate } from '../platform/directories.ts';
import { isObject } from '../platform/json-object.ts';
import { withLock } from '../platform/processes/lock.ts';
import { readRegularFile } from '../platform/regular-file.ts';
import { codeOf, isMissing, systemFailure } from '../platform/system-error.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Profile {
  readonly base_url?: string;
  readonly api_key?: string;
  /** The only origin that key is sent to. */
  readonly api_key_origin?: string;
  /** Keys of one account share its rate limiter and its cached responses. */
  readonly account?: string;
  readonly output?: string;
  /** Name and e-mail for the site of public files. */
  readonly contact?: string;
  /** What must have signed a published release. */
  readonly public_key?: string;
  /** What its address is: `service` or `release`; found out there where it is not set. */
  readonly kind?: string;
  /** A file of certificate authorities (PEM), an absolute path. */
  readonly ca_file?: string;
}

export interface Settings {
  /** The profile used when none is named. */
  readonly profile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NAME = 'config';
/** What conf writes before it renames it; a killed process leaves it behind, with a key in it. */
const UNFINISHED = /^config\.json\.tmp-/;

export function settingsFile(directory: string): string {
  return join(directory, `${NAME}.json`);
}

const NOTHING: Settings = { profiles: {} };

/** Empty where there is no file. Throws a usage Failure for a file that cannot be read, or is not JSON. */
export function readSettings(directory: string | null): Settings {
  if (directory === null) return NOTHING;
  const file = settingsFile(directory);
  let text: string;
  try {
    // Most users have no settings, and an error takes longer to make than a look.
    if (statSync(directory, { throwIfNoEntry: false }) === undefined) return NOTHING;
    removeAbandoned(directory);
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return NOTHING;
    text = readRegularFile(file);
  } catch (cause) {
    if (isMissing(cause)) return NOTHING;
    throw systemFailure('usage', `The settings in ${file} cannot be read`, cause);
  }
  return parseSettings(text, file);
}

/** The name of the profile that a command is about: `named` by `--profile`, else the environment's, else the file's. */
export function profileName(named: string | null, env: Env, { profile = 'default' }: Settings): string {
  return named ?? (env.FIN_PROFILE || profile);
}

/** The profile of that name; undefined where there is none. */
export function profileOf({ profiles }: Settings, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** The environment with the authorities of the profile, where it names none itself. */
export function withAuthorities(env: Env, profile: Profile | undefined): Env {
  return env.FIN_CA_FILE || profile?.ca_file === undefined ? env : { ...env, FIN_CA_FILE: profile.ca_file };
}

/** The output format that the profile prefers. Settings that cannot be read are reported where a service is asked. */
export function profileOutput(named: string | null, env: Env): string | undefined {
  try {
    const settings = readSettings(findDirectories(env).config);
    return profileOf(settings, profileName(named, env, settings))?.output;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the settings by what `change` makes of them: whole or not at all, mode 0600, one process at a time.
 * Throws a usage Failure where they cannot be written; the old ones then stand.
 */
export async function changeSettings(directory: string, change: (settings: Settings) => Settings): Promise<Settings> {
  const { default: Conf } = await import('conf');
  try {
    makePrivate(directory);
    return await withLock(directory, () => {
      const changed = change(readSettings(directory));
      const conf = new Conf<Record<string, unknown>>({
        cwd: directory,
        configName: NAME,
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      });
      conf.store = { ...conf.store, profile: changed.profile ?? 'default', profiles: changed.profiles };
      removeUnfinished(directory);
      return changed;
    });
  } catch (error) {
    if (codeOf(error) === null) throw error;
    throw systemFailure('usage', `The settings in ${directory} cannot be written`, error);
  }
}

/** Removes what killed processes left behind while writing; throws a usage Failure where that is refused. */
export async function removeUnfinishedSettings(directory: string): Promise<void> {
  if (unfinishedIn(directory).length === 0) return;
  try {
    await withLock(directory, () => removeUnfinished(directory));
  } catch (error) {
    throw systemFailure('usage', `Unfinished settings in ${directory}, which may hold a key, cannot be removed`, error);
  }
}

/** The settings with entries of one profile changed; an entry set to undefined is removed. */
export function withProfile(
  settings: Settings,
  name: string,
  entries: Partial<Readonly<Record<keyof Profile, string | undefined>>>,
): Settings {
  const merged = { ...profileOf(settings, name), ...entries };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  return { ...settings, profiles: { ...settings.profiles, [name]: kept } };
}

/** Of so old an unfinished file (ms) the writer is gone: writing it and renaming it takes a moment. */
const ABANDONED_MS = 10_000;

/** Done by every command, so that a key is not left behind until the settings are next changed. */
function removeAbandoned(directory: string): void {
  try {
    for (const name of readdirSync(directory)) {
      const file = join(directory, name);
      if (UNFINISHED.test(name) && Date.now() - statSync(file).mtimeMs > ABANDONED_MS) rmSync(file, { force: true });
    }
  } catch {
    // A command that changes the settings says why.
  }
}

/** To be called under the lock, while no other process writes. */
function removeUnfinished(directory: string): void {
  for (const name of unfinishedIn(directory)) rmSync(join(directory, name), { force: true });
}

function unfinishedIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => UNFINISHED.test(name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw systemFailure('usage', `The settings in ${directory} cannot be listed`, error);
  }
}

export function parseSettings(text: string, file: string): Settings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message would quote the file, and a key may be in it.
    throw new Failure('usage', `The settings in ${file} are not JSON.`, { hint: 'Fix the file, or move it away.' });
  }
  const { profile, profiles } = isObject(value) ? value : {};
  const entries = Object.entries(isObject(profiles) ? profiles : {}).map(([name, entry]) => [name, textsOf(entry)]);
  return { profiles: Object.fromEntries(entries), ...(typeof profile === 'string' ? { profile } : {}) };
}

/** The entries that are text: a profile has no others. */
function textsOf(value: unknown): Profile {
  return Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).filter(([, entry]) => typeof entry === 'string'),
  );
}
