/**
 * Writes files atomically: a file is written under a temporary name and then renamed, so readers see either the old or
 * the new content.
 */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makePrivateDirectory, removeFile } from './directories.ts';
import { readErrorCode } from './system-error.ts';

interface AtomicWriteOptions {
  /** Permissions of the file before the umask is applied. By default, only the file's owner can read the file. */
  readonly mode?: number;
  /** Whether to create a missing directory, accessible to its owner only. Default: true. */
  readonly createsDirectory?: boolean;
  /**
   * Whether to sync the content to disk before the rename, so that it survives a power failure. If true, temporary
   * files of killed processes are removed from the directory, too, because no other code removes them there.
   */
  readonly isDurable?: boolean;
}

let serialNumber = 0;
/** Matches the names that `writeAtomically` gives to temporary files. */
const TEMPORARY_NAME_PATTERN = /^\..+\.\d+-[0-9a-z]+-\d+\.tmp$/;
/** Age in milliseconds from which a temporary file is assumed to belong to a killed process. */
const STALE_AGE_MS = 3_600_000;

/**
 * Writes a file atomically. On failure, throws the system error and leaves the file unchanged. Exception: if the sync
 * of its directory fails, the new content is already in place.
 */
export function writeAtomically(file: string, bytes: Uint8Array | string, options: AtomicWriteOptions = {}): void {
  const { mode = 0o600, createsDirectory = true, isDurable = false } = options;
  const folder = dirname(file);
  // A hidden name that is unique for each write, and short even if the file's own name is long.
  const suffix = `${process.pid}-${Date.now().toString(36)}-${serialNumber++}`;
  const temporaryFile = join(folder, `.${basename(file).slice(0, 24)}.${suffix}.tmp`);
  const write = () => writeFileSync(temporaryFile, bytes, { mode, flag: 'wx', flush: isDurable });
  try {
    try {
      write();
    } catch (error) {
      if (!createsDirectory || readErrorCode(error) !== 'ENOENT') throw error;
      makePrivateDirectory(folder);
      write();
    }
    renameSync(temporaryFile, file);
  } catch (error) {
    rmSync(temporaryFile, { force: true });
    throw error;
  }
  if (!isDurable) return;
  removeStaleTemporaryFiles(folder);
  syncDirectory(folder);
}

/** Writes a file atomically if possible: for a record that fin can do without. */
export function writeIfPossible(file: string, text: string): void {
  try {
    writeAtomically(file, text);
  } catch {}
}

/** Writes a file that other users may read and that survives a power failure. Its directory must exist. */
export const writeDurably = (file: string, bytes: Uint8Array | string): void =>
  writeAtomically(file, bytes, { mode: 0o666, createsDirectory: false, isDurable: true });

/**
 * Removes temporary files that killed processes left in a directory. Ignores errors: the files of other users may be
 * protected, and another process may remove files in the meantime.
 */
export function removeStaleTemporaryFiles(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!TEMPORARY_NAME_PATTERN.test(name)) continue;
      const path = join(folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats !== undefined && Date.now() - stats.mtimeMs > STALE_AGE_MS) removeFile(path);
    }
  } catch {}
}

/** Syncs files to disk without blocking this thread. Throws the system error. */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const handle = await open(path, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** Syncs the entries of a directory to disk, on platforms that can open directories. */
export function syncDirectory(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
