/**
 * Profiles, stored in one JSON file. Only commands that change settings load the module `conf`, which writes the file
 * atomically; all other commands read the file without `conf`.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../contract/failure.ts';
import { quote } from '../contract/text/quote.ts';
import { findDirectories, makePrivateDirectory } from '../platform/files/directories.ts';
import { decodeText } from '../platform/files/input-text.ts';
import { readRegularBytes } from '../platform/files/regular-file.ts';
import { isMissingPathError, makeSystemFailure, readErrorCode, readIfPresent } from '../platform/files/system-error.ts';
import { isObject, parseJson } from '../platform/json-object.ts';
import { withLock } from '../platform/processes/lock.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Profile {
  readonly base_url?: string;
  readonly api_key?: string;
  /** The only origin to which the profile's key is sent. */
  readonly api_key_origin?: string;
  /** Name of the account; keys of one account share its rate limiter and cached responses. */
  readonly account?: string;
  readonly output?: string;
  /** Name and e-mail address for requests to the SEC. */
  readonly contact?: string;
  /** An origin other than the SEC's from which documents of filings are read. */
  readonly document_origin?: string;
  /** Public key by which published releases must be signed. */
  readonly public_key?: string;
  /** Kind of the profile's address, `service` or `release`; if missing, a request decides. */
  readonly kind?: string;
  /** Absolute path of a PEM file with certificate authorities. */
  readonly ca_file?: string;
}

export interface Settings {
  /** Name of the default profile. */
  readonly profile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const CONFIG_NAME = 'config';
const MAX_SETTINGS_BYTES = 8 * 1024 * 1024;
/** Matches temporary files of the module `conf`. They remain if the process is killed, and may contain a key. */
const TEMPORARY_FILE = /^config\.json\.tmp-/;

export const findSettingsFile = (folder: string): string => join(folder, `${CONFIG_NAME}.json`);

const EMPTY_SETTINGS: Settings = { profiles: {} };

/**
 * Returns the stored settings; empty if no file exists. Throws a usage Failure for a file that is unreadable, not
 * JSON, or has values of a wrong type.
 */
export function readSettings(folder: string | null): Settings {
  if (folder === null) return EMPTY_SETTINGS;
  const file = findSettingsFile(folder);
  let text: string;
  try {
    // A fast path: most users have no settings, and a caught error would take longer than this check.
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return EMPTY_SETTINGS;
    removeOldTemporaryFiles(folder);
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return EMPTY_SETTINGS;
    // Editors on Windows write a byte order mark.
    text = decodeText(readRegularBytes(file, MAX_SETTINGS_BYTES));
  } catch (cause) {
    if (isMissingPathError(cause)) return EMPTY_SETTINGS;
    throw makeSystemFailure('usage', `The settings in ${file} cannot be read`, cause);
  }
  return parseSettings(text, file);
}

/**
 * Returns the name of the profile to use: `requested` from `--profile`, else from the environment, else from the
 * file.
 */
export const findProfileName = (requested: string | null, env: Env, { profile = 'default' }: Settings): string =>
  requested ?? (env.FIN_PROFILE || profile);

/** Returns the profile with this name; undefined if the profile does not exist. */
const findProfile = ({ profiles }: Settings, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

/** Returns the profile that a command uses; undefined if it does not exist. Throws like `readSettings`. */
export function findProfileInUse(requested: string | null, env: Env): Profile | undefined {
  const settings = readSettings(findDirectories(env).config);
  return findProfile(settings, findProfileName(requested, env, settings));
}

/** Returns the environment. Adds the profile's certificate authorities if the environment names none. */
export const withAuthorities = (env: Env, profile: Profile | undefined): Env =>
  env.FIN_CA_FILE || profile?.ca_file === undefined ? env : { ...env, FIN_CA_FILE: profile.ca_file };

/** Returns the profile's output format. Ignores unreadable settings: opening a connection reports them. */
export function readOutputFormat(requested: string | null, env: Env): string | undefined {
  try {
    return findProfileInUse(requested, env)?.output;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the settings by the result of `change`: atomically, with mode 0600, one process at a time. Throws a usage
 * Failure if the settings cannot be written; the previous settings then remain.
 */
export async function changeSettings(folder: string, change: (settings: Settings) => Settings): Promise<Settings> {
  const { default: Conf } = await import('conf');
  try {
    makePrivateDirectory(folder);
    return await withLock(folder, () => {
      const newSettings = change(readSettings(folder));
      const conf = new Conf<Record<string, unknown>>({
        cwd: folder,
        configName: CONFIG_NAME,
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        deserialize: (text) => JSON.parse(text.replace(/^\ufeff/, '')),
      });
      conf.store = { ...conf.store, profile: newSettings.profile ?? 'default', profiles: newSettings.profiles };
      removeTemporaryFiles(folder);
      return newSettings;
    });
  } catch (error) {
    if (readErrorCode(error) === null) throw error;
    throw makeSystemFailure('usage', `The settings in ${folder} cannot be written`, error);
  }
}

/** Removes temporary files of killed processes. Throws a usage Failure if that fails. */
export async function removeTemporarySettingsFiles(folder: string): Promise<void> {
  if (listTemporaryFiles(folder).length === 0) return;
  try {
    await withLock(folder, () => removeTemporaryFiles(folder));
  } catch (error) {
    const text = `A temporary settings file that may contain a key cannot be removed from ${folder}`;
    throw makeSystemFailure('usage', text, error);
  }
}

type ProfileEntries = Partial<Readonly<Record<keyof Profile, string | undefined>>>;

/** Returns the settings with changed entries in one profile; an entry that is undefined is removed. */
export function withProfile(settings: Settings, name: string, entries: ProfileEntries): Settings {
  const merged = { ...findProfile(settings, name), ...entries };
  const defined = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  return { ...settings, profiles: { ...settings.profiles, [name]: defined } };
}

/**
 * Age in milliseconds after which a temporary file counts as abandoned, because writing and renaming take only a
 * moment.
 */
const MIN_ABANDONED_AGE_MS = 10_000;

/**
 * Removes abandoned temporary files. Called whenever settings are read, so that a key in such a file does not remain on
 * disk until settings are next changed.
 */
function removeOldTemporaryFiles(folder: string): void {
  try {
    for (const file of listTemporaryFiles(folder))
      if (Date.now() - statSync(file).mtimeMs > MIN_ABANDONED_AGE_MS) rmSync(file, { force: true });
  } catch {
    // Ignored here: commands that change settings report the cause.
  }
}

/** Removes all temporary files. Requires the lock, so that no other process is writing. */
function removeTemporaryFiles(folder: string): void {
  for (const file of listTemporaryFiles(folder)) rmSync(file, { force: true });
}

function listTemporaryFiles(folder: string): string[] {
  const reason = `The files in ${folder} cannot be listed`;
  const names = readIfPresent([], 'usage', reason, () => readdirSync(folder));
  return names.filter((name) => TEMPORARY_FILE.test(name)).map((name) => join(folder, name));
}

export function parseSettings(text: string, file: string): Settings {
  const hint = 'Fix the file, or move it away.';
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // Replaces the parser's error, whose message quotes the file and possibly an API key.
    throw new Failure('usage', `The settings in ${file} are not JSON.`, { hint });
  }
  // Wrong values are not ignored: the answer could come from another service than the intended one, and the next change
  // of the settings would remove the value.
  const fault = findSettingsFault(value);
  if (fault !== null) throw new Failure('usage', `The settings in ${file} cannot be used: ${fault}.`, { hint });
  const { profile, profiles = {} } = value as Partial<Settings>;
  return { profiles, ...(profile == null ? {} : { profile }) };
}

/**
 * Returns the part of the settings that has a wrong type, as the start of a sentence; null if all have the right type.
 */
function findSettingsFault(value: unknown): string | null {
  if (!isObject(value)) return 'the file does not contain a JSON object';
  const { profile, profiles } = value;
  if (profile != null && typeof profile !== 'string') return 'the name of the default profile is not text';
  if (profiles === undefined) return null;
  if (!isObject(profiles)) return '"profiles" is not a JSON object';
  for (const [name, settings] of Object.entries(profiles)) {
    if (!isObject(settings)) return `the profile ${quote(name)} is not a JSON object`;
    const [wrongName] = Object.entries(settings).find(([, setting]) => typeof setting !== 'string') ?? [];
    if (wrongName !== undefined) return `the setting ${quote(wrongName)} of the profile ${quote(name)} is not text`;
  }
  return null;
}
