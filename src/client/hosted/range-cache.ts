/**
 * Ranges of published files, one file each, named by the hash of their bytes: so they are shared by processes and by
 * releases that have the same bytes, and never mixed. Whatever is damaged, another user's or in the way is a miss.
 */
import { hash } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../platform/atomic-write.ts';
import { readOwn } from '../cache/response-cache.ts';

export interface RangeCache {
  /** Bytes with this hash, or null. */
  read(hash: string): Uint8Array | null;
  write(hash: string, bytes: Uint8Array): void;
  /** The file that it is or would be in. */
  fileOf(hash: string): string;
  /** Bytes written by this process. */
  readonly written: number;
}

/** Whether bytes have a hash, given as the first digits of their SHA-256. */
export const hasHash = (bytes: Uint8Array, expected: string): boolean => hash('sha256', bytes).startsWith(expected);

/** @param failed called once, when ranges cannot be cached; none is from then on */
export function openRangeCache(directory: string, failed: (error: unknown) => void): RangeCache {
  let working = true;
  let written = 0;
  // Beside the cached responses, which have names of other hashes: one bound, one sweep.
  const fileOf = (digits: string) => {
    const name = hash('sha256', `range\n${digits}`);
    return join(directory, name.slice(0, 2), name.slice(2, 40));
  };
  return {
    fileOf,
    get written() {
      return written;
    },
    read(digits) {
      const read = readOwn(fileOf(digits));
      if (read === null || !hasHash(read.bytes, digits)) return null;
      try {
        utimesSync(fileOf(digits), Date.now() / 1000, read.confirmed / 1000);
      } catch {
        // Swept in the meantime.
      }
      return read.bytes;
    },
    write(digits, bytes) {
      if (!working) return;
      try {
        writeAtomically(fileOf(digits), bytes);
        written += bytes.length;
      } catch (error) {
        working = false;
        failed(error);
      }
    },
  };
}
