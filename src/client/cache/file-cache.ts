/**
 * Cached files, one per key, written atomically: responses, ranges of published files, documents. A file that is too
 * large or of another user counts as missing, and never causes an error; the caller verifies the content.
 */
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { writeAtomically } from '../../platform/files/atomic-write.ts';
import { setTimesIfPossible } from '../../platform/files/directories.ts';

export type CacheFile = { readonly bytes: Buffer; readonly confirmedMs: number };

/** Maximum size of a cached file. Files are smaller, so a larger file was not written by fin. */
const MAX_FILE_BYTES = 80 * 1024 * 1024;

/**
 * Opens the cache in a directory.
 * @param fail called once if files cannot be stored; from then on, the cache stores nothing
 */
export function openFileCache(folder: string, fail: (error: unknown) => void) {
  let isWritable = true;
  let writtenBytes = 0;
  /**
   * Records that the file was used now (atime, which decides the order of removal), and last confirmed at `confirmedMs`
   * (mtime).
   */
  const confirm = (key: string, confirmedMs: number) => setTimesIfPossible(findCacheFile(folder, key), confirmedMs);
  return {
    read: (key: string) => readUserOwnedFile(findCacheFile(folder, key)),
    /** @param confirmedMs epoch milliseconds of the last confirmation; by default now */
    write(key: string, bytes: Uint8Array, confirmedMs?: number) {
      if (!isWritable) return;
      try {
        writeAtomically(findCacheFile(folder, key), bytes);
        if (confirmedMs !== undefined) confirm(key, confirmedMs);
        writtenBytes += bytes.length;
      } catch (error) {
        isWritable = false;
        fail(error);
      }
    },
    confirm,
    /**
     * Sweeps the cache with a probability proportional to the bytes that this process added, so that the cache stays
     * near its maximum size without a stored counter.
     */
    async sweep(maxBytes: number) {
      if (writtenBytes === 0 || Math.random() * (maxBytes / 16) >= writtenBytes) return;
      const { sweepCache } = await import('./sweep.ts');
      try {
        sweepCache(folder, maxBytes);
      } catch {
        // Ignored, because the answer is complete; `fin cache info` reports why the cache is unreadable.
      }
    },
  };
}

/** Returns the path of a key's file, whether or not the file exists. */
export function findCacheFile(folder: string, key: string): string {
  const name = hash('sha256', key);
  return join(folder, name.slice(0, 2), name.slice(2, 40));
}

/** Returns a file's content; null if the file is missing, too large, not a regular file, or of another user. */
function readUserOwnedFile(file: string): CacheFile | null {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(descriptor);
    const isOfAnotherUser = process.getuid !== undefined && stat.uid !== process.getuid();
    if (!stat.isFile() || isOfAnotherUser || stat.size > MAX_FILE_BYTES) return null;
    return { bytes: readFileSync(descriptor), confirmedMs: stat.mtimeMs };
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Default of the maximum size of each cache in megabytes, by the environment variable that changes it. */
const DEFAULT_MAX_MB_TEXTS = { FIN_CACHE_MAX_MB: '256', FIN_DOCUMENTS_MAX_MB: '1000' } as const;
const BYTES_PER_MB = 1_000_000;

/**
 * Returns the approximate maximum size of a cache in bytes: of responses or of documents. Throws a usage Failure if the
 * variable is not an integer of at most six digits.
 */
export function readCacheMaxBytes(
  env: Readonly<Record<string, string | undefined>>,
  name: keyof typeof DEFAULT_MAX_MB_TEXTS = 'FIN_CACHE_MAX_MB',
): number {
  const text = env[name] || DEFAULT_MAX_MB_TEXTS[name];
  if (/^\d{1,6}$/.test(text)) return Number(text) * BYTES_PER_MB;
  const hint = `Set ${name} to a whole number, or unset it to use the default, ${DEFAULT_MAX_MB_TEXTS[name]}.`;
  throw new Failure('usage', `${name} is ${JSON.stringify(text)}, not a whole number of at most six digits.`, { hint });
}
