/** Files that a reader sees whole or not at all: written beside their place, then renamed into it. */
import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivate } from './directories.ts';

let serial = 0;

/** Writes a file whole or not at all, readable by its owner only; its directory is made where it is missing. */
export function writeAtomically(file: string, bytes: Uint8Array | string): void {
  const directory = dirname(file);
  const temporary = join(directory, `.${process.pid}-${Date.now().toString(36)}-${serial++}.tmp`);
  try {
    try {
      writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if (!isMissing(error)) throw error;
      makePrivate(directory);
      writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
    }
    renameSync(temporary, file);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // It was not made, or another process swept it away.
    }
    throw error;
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
