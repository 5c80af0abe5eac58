/**
 * Unpacks the sample of a single executable into the user's cache, once, because releases are read from files. It is
 * stored under its stamp, appears with one rename, and is unpacked again if a file is missing.
 */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivate, requireDirectory } from '../../platform/directories.ts';
import { type ExecutableContent, executableContent, readAsset } from '../../platform/executable.ts';
import { systemFailure } from '../../platform/system-error.ts';

type Sample = ExecutableContent['sample'];

/** Returns the home of the sample; null in a package. Throws a data Failure if it cannot be unpacked. */
export function unpackedSample(): string | null {
  const sample = executableContent()?.sample;
  if (sample === undefined) return null;
  const home = join(requireDirectory('cache', process.env), 'sample', sample.stamp);
  if (isWhole(home, sample)) return home;
  try {
    unpack(home, sample);
  } catch (cause) {
    // Another process may have been faster.
    if (!isWhole(home, sample)) {
      throw systemFailure(
        'data',
        `The built-in sample cannot be unpacked to ${home}`,
        cause,
        'FIN_CACHE_DIR may name another directory.',
      );
    }
  }
  return home;
}

/** Whether every file exists: programs that clean caches may remove some. Reading detects damage within a file. */
function isWhole(home: string, { stamp, files }: Sample): boolean {
  const top = lstatSync(home, { throwIfNoEntry: false });
  if (top?.isDirectory() !== true) return false;
  if (process.geteuid !== undefined && top.uid !== process.geteuid()) return false;
  try {
    const names = new Set(readdirSync(join(home, stamp)));
    return files.every((name) => names.has(name));
  } catch {
    return false;
  }
}

function unpack(home: string, { stamp, files }: Sample): void {
  makePrivate(dirname(home));
  const unique = `${home}.${process.pid}-${Date.now().toString(36)}`;
  const [fresh, old] = [`${unique}.tmp`, `${unique}.old`];
  try {
    for (const directory of [fresh, join(fresh, stamp)]) mkdirSync(directory, { mode: 0o700 });
    for (const name of files) {
      const bytes = readAsset(`sample/${name}`);
      if (bytes === null) throw new Error('a package has no assets');
      writeFileSync(join(fresh, stamp, name), bytes, { mode: 0o600, flag: 'wx', flush: true });
    }
    // A rename does not replace a directory unless it is empty.
    if (lstatSync(home, { throwIfNoEntry: false }) !== undefined) renameSync(home, old);
    renameSync(fresh, home);
  } finally {
    for (const directory of [fresh, old]) rmSync(directory, { recursive: true, force: true });
  }
}
