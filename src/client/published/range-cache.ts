/**
 * Cached ranges of published files. Each range is a separate cache file, named by a hash of the content. All processes
 * share these files, and so do releases with equal content. A file that is damaged or belongs to another user counts as
 * missing.
 */
import { hash } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../platform/files/atomic-write.ts';
import { readUserOwnedFile } from '../cache/response-files.ts';

export interface RangeCache {
  /** Returns the bytes with this hash; null if the bytes are not cached. */
  read(hash: string): Uint8Array | null;
  write(hash: string, bytes: Uint8Array): void;
  /** Returns the path of a range's file, whether or not the file exists. */
  findFile(hash: string): string;
  /** Number of bytes written by this process. */
  readonly writtenBytes: number;
}

/** Whether the bytes have the expected hash, which consists of the leading digits of a SHA-256. */
export const hasHashPrefix = (bytes: Uint8Array, expected: string): boolean =>
  hash('sha256', bytes).startsWith(expected);

/**
 * Opens the cache in a directory.
 * @param fail called once if ranges cannot be stored; from then on, the cache stores nothing
 */
export function openRangeCache(folder: string, fail: (error: unknown) => void): RangeCache {
  let writable = true;
  let written = 0;
  // Shares the directory of cached responses, so that one size limit and one sweep cover both kinds of files.
  const fileOf = (digits: string) => {
    const name = hash('sha256', `range\n${digits}`);
    return join(folder, name.slice(0, 2), name.slice(2, 40));
  };
  return {
    findFile: fileOf,
    get writtenBytes() {
      return written;
    },
    read(digits) {
      const file = readUserOwnedFile(fileOf(digits));
      if (file === null || !hasHashPrefix(file.bytes, digits)) return null;
      try {
        utimesSync(fileOf(digits), Date.now() / 1000, file.confirmedMs / 1000);
      } catch {
        // Ignored: another process removed the file.
      }
      return file.bytes;
    },
    write(digits, bytes) {
      if (!writable) return;
      try {
        writeAtomically(fileOf(digits), bytes);
        written += bytes.length;
      } catch (error) {
        writable = false;
        fail(error);
      }
    },
  };
}
