/**
 * Directories for a user's files, determined by `FIN_CONFIG_DIR` and similar variables, otherwise by XDG variables on
 * every platform, otherwise by the platform's convention.
 */
import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, posix, win32 } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { readErrorCode } from './system-error.ts';

/** Directories of one user on one machine; null for a directory that cannot be determined. */
export interface Directories {
  readonly config: string | null;
  readonly cache: string | null;
  readonly state: string | null;
  readonly data: string | null;
}

type Env = Readonly<Record<string, string | undefined>>;

const APP_NAME = 'fin';

const VARIABLES = { config: 'FIN_CONFIG_DIR', cache: 'FIN_CACHE_DIR', state: 'FIN_STATE_DIR', data: 'FIN_DATA_DIR' };

const DEFAULT_XDG_FOLDERS = { config: '.config', cache: '.cache', state: '.local/state', data: '.local/share' };
const MAC_SUPPORT = 'Library/Application Support';
const MAC_FOLDERS = { config: 'Library/Preferences', cache: 'Library/Caches', state: MAC_SUPPORT, data: MAC_SUPPORT };
const WINDOWS_FOLDERS = { config: 'Config', cache: 'Cache', state: 'State', data: 'Data' };

/**
 * Returns the four directories without creating them. A directory is null if it depends on the home directory, which is
 * unknown. Ignores relative XDG variables, as the XDG specification requires; resolves fin's own variables against the
 * working directory.
 */
export function findDirectories(env: Env, platform = process.platform, home = findHome(env)): Directories {
  const paths = platform === 'win32' ? win32 : posix;
  const keepAbsolute = (text: string | undefined) => (text !== undefined && paths.isAbsolute(text) ? text : undefined);
  const find = (kind: keyof Directories): string | null => {
    const override = env[VARIABLES[kind]];
    if (override !== undefined && override !== '') return paths.resolve(override);
    const xdg = keepAbsolute(env[`XDG_${kind.toUpperCase()}_HOME`]);
    if (xdg !== undefined) return paths.join(xdg, APP_NAME);
    if (platform === 'win32') {
      const area = kind === 'config' ? 'Roaming' : 'Local';
      const areaPath = keepAbsolute(env[kind === 'config' ? 'APPDATA' : 'LOCALAPPDATA']);
      const base = areaPath ?? (home === null ? null : paths.join(home, 'AppData', area));
      return base === null ? null : paths.join(base, APP_NAME, WINDOWS_FOLDERS[kind]);
    }
    if (home === null) return null;
    return paths.join(home, platform === 'darwin' ? MAC_FOLDERS[kind] : DEFAULT_XDG_FOLDERS[kind], APP_NAME);
  };
  return { config: find('config'), cache: find('cache'), state: find('state'), data: find('data') };
}

const DIRECTORY_CONTENTS = { config: 'settings', cache: 'cached responses', state: 'request counts', data: 'data' };

/**
 * Returns one of the directories without creating it. Throws a Failure if it depends on the home directory, which is
 * unknown.
 */
export function requireDirectory(kind: keyof Directories, env: Env): string {
  const folder = findDirectories(env)[kind];
  if (folder !== null) return folder;
  const text = `There is no directory for ${DIRECTORY_CONTENTS[kind]}: HOME is not set to a directory that this user can enter.`;
  const hint = `Set ${VARIABLES[kind]} to a directory of your own.`;
  throw new Failure(kind === 'data' ? 'data' : 'usage', text, { hint });
}

/** Returns the home directory; null if it is unknown, or if this user cannot enter it. */
function findHome(env: Env): string | null {
  const home = findNamedHome(env);
  return home !== null && isForbidden(home) ? null : home;
}

/** Whether the user may not enter a directory: `sudo -u` and `docker run -u` may leave HOME as it was for root. */
function isForbidden(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return false;
  } catch (error) {
    return readErrorCode(error) === 'EACCES';
  }
}

function findNamedHome(env: Env): string | null {
  const variable = env.HOME ?? env.USERPROFILE;
  if (variable !== undefined) return posix.isAbsolute(variable) || win32.isAbsolute(variable) ? variable : null;
  try {
    const home = homedir();
    return posix.isAbsolute(home) || win32.isAbsolute(home) ? home : null;
  } catch {
    // HOME is not set and the passwd file has no entry, as for arbitrary users in containers.
    return null;
  }
}

/**
 * Creates a directory and its parents; returns whether the directory was missing. Throws if the directory cannot be
 * created; Node's own recursive mkdir would never end for a path below /proc (seen with Node.js 20 on Linux).
 */
export function makeDirectory(folder: string, mode?: number): boolean {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeDirectory(parent, mode);
  try {
    mkdirSync(folder, mode);
    return true;
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST' && statSync(folder).isDirectory()) return false;
    throw error;
  }
}

/** Creates a directory that only its owner can access. Does not check whether an existing directory is writable. */
export function makePrivateDirectory(folder: string): void {
  // Sets the permissions again, because the umask may have removed some. An existing directory is not changed.
  if (makeDirectory(folder, 0o700) && process.platform !== 'win32') chmodSync(folder, 0o700);
}

/**
 * Removes a file; returns false if that fails, for example because the file is missing, protected or, on Windows, open.
 */
export function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Sets the times of a file to now and `modifiedMs`, if possible: another process may have removed the file. */
export function setTimesIfPossible(file: string, modifiedMs = Date.now()): void {
  try {
    utimesSync(file, Date.now() / 1000, modifiedMs / 1000);
  } catch {}
}
