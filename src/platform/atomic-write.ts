/** Files that a reader sees whole or not at all: written beside their place, then renamed into it. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makePrivate } from './directories.ts';
import { codeOf } from './system-error.ts';

export interface AtomicWriteOptions {
  /** Permissions of the file, before the umask. By default only its owner may read it. */
  readonly mode?: number;
  /** Whether a missing directory is made, for its owner only. By default it is. */
  readonly makeDirectory?: boolean;
  /** Whether the bytes are forced to the disk before the rename, so that they outlive a power cut. */
  readonly durable?: boolean;
}

let serial = 0;

/** Writes a file whole or not at all; where that fails, throws the system's error and leaves the file as it was. */
export function writeAtomically(file: string, bytes: Uint8Array | string, options: AtomicWriteOptions = {}): void {
  const { mode = 0o600, makeDirectory = true, durable = false } = options;
  const directory = dirname(file);
  // A name of its own for every write, hidden, and short enough where the file's own name is long.
  const unique = `${process.pid}-${Date.now().toString(36)}-${serial++}`;
  const temporary = join(directory, `.${basename(file).slice(0, 24)}.${unique}.tmp`);
  const write = () => writeFileSync(temporary, bytes, { mode, flag: 'wx', flush: durable });
  try {
    try {
      write();
    } catch (error) {
      if (!makeDirectory || codeOf(error) !== 'ENOENT') throw error;
      makePrivate(directory);
      write();
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (durable) syncDirectory(directory);
}

/** Forces files to the disk, while this thread does something else. Throws the system's error. */
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

/** Forces the names in a directory to the disk, where the platform lets a directory be opened. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
