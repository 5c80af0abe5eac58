/**
 * Unpacks the sample from the single executable into the user's cache, because releases are read from files. The
 * directory is named after the sample's stamp. If a file is missing later, the sample is unpacked again.
 */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ExecutableContent, readAsset, readExecutableContent } from '../../platform/builtins/executable.ts';
import { makePrivateDirectory, requireDirectory } from '../../platform/files/directories.ts';
import { makeSystemFailure } from '../../platform/files/system-error.ts';

type Sample = ExecutableContent['sample'];

/**
 * Returns the home of the unpacked sample; null if this program is not a single executable. Throws a data Failure if
 * unpacking fails.
 */
export function ensureUnpackedSample(): string | null {
  const sample = readExecutableContent()?.sample;
  if (sample === undefined) return null;
  const home = join(requireDirectory('cache', process.env), 'sample', sample.stamp);
  if (isUnpacked(home, sample)) return home;
  try {
    unpackSample(home, sample);
  } catch (cause) {
    // Another process may have unpacked the sample in the meantime.
    if (!isUnpacked(home, sample)) {
      throw makeSystemFailure(
        'data',
        `The built-in sample cannot be unpacked to ${home}`,
        cause,
        'Set FIN_CACHE_DIR to use another directory.',
      );
    }
  }
  return home;
}

/**
 * Whether the directory belongs to this user and contains all files of the sample. Files may be missing after a program
 * has cleaned the cache. Damaged files are detected when they are read.
 */
function isUnpacked(home: string, { stamp, files }: Sample): boolean {
  const homeStats = lstatSync(home, { throwIfNoEntry: false });
  if (homeStats?.isDirectory() !== true) return false;
  if (process.geteuid !== undefined && homeStats.uid !== process.geteuid()) return false;
  try {
    const fileNames = new Set(readdirSync(join(home, stamp)));
    return files.every((name) => fileNames.has(name));
  } catch {
    return false;
  }
}

function unpackSample(home: string, { stamp, files }: Sample): void {
  makePrivateDirectory(dirname(home));
  const prefix = `${home}.${process.pid}-${Date.now().toString(36)}`;
  const [newHome, oldHome] = [`${prefix}.tmp`, `${prefix}.old`];
  try {
    for (const directory of [newHome, join(newHome, stamp)]) mkdirSync(directory, { mode: 0o700 });
    for (const fileName of files) {
      const bytes = readAsset(`sample/${fileName}`);
      if (bytes === null) throw new Error(`the file ${fileName} of the sample is missing from the executable`);
      writeFileSync(join(newHome, stamp, fileName), bytes, { mode: 0o600, flag: 'wx', flush: true });
    }
    // A rename can only replace an empty directory, so the old directory is renamed first.
    if (lstatSync(home, { throwIfNoEntry: false }) !== undefined) renameSync(home, oldHome);
    renameSync(newHome, home);
  } finally {
    for (const directory of [newHome, oldHome]) rmSync(directory, { recursive: true, force: true });
  }
}
