/** Measures the whole cache, and removes responses if it is too large. */

import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { removeFile } from '../../platform/files/directories.ts';
import { isMissingPathError } from '../../platform/files/system-error.ts';

/** Age in milliseconds after which a temporary file counts as abandoned by an ended process. */
const TEMPORARY_FILE_TTL_MS = 3_600_000;

/** Returns number and size of cached responses. Throws the system error if the directory cannot be listed. */
export function readCacheTotals(folder: string) {
  const entries = listEntries(folder);
  return {
    entries: entries.length,
    bytes: sumBytes(entries),
    /** Epoch milliseconds of the last use of the least recently used response; null if the cache is empty. */
    oldest: entries.reduce<number | null>((min, { usedMs }) => (min === null || usedMs < min ? usedMs : min), null),
  };
}

/**
 * Removes the least recently used responses until at most `maxBytes` remain; returns the number of removed responses.
 */
export function sweepCache(folder: string, maxBytes: number): number {
  const entries = listEntries(folder).sort((a, b) => a.usedMs - b.usedMs);
  let remainingBytes = sumBytes(entries);
  let removedCount = 0;
  for (const { file, bytes } of entries) {
    if (remainingBytes <= maxBytes) break;
    if (removeFile(file)) removedCount++;
    remainingBytes -= bytes;
  }
  return removedCount;
}

/** Removes all cached responses; returns their number. */
export function clearCache(folder: string): number {
  const { length } = listEntries(folder);
  rmSync(folder, { recursive: true, force: true });
  return length;
}

const sumBytes = (entries: ReturnType<typeof listEntries>) => entries.reduce((total, { bytes }) => total + bytes, 0);

const listEntries = (folder: string) =>
  listNames(folder)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((group) => listNames(join(folder, group)).map((name) => join(folder, group, name)))
    .flatMap((file) => {
      try {
        const stat = statSync(file);
        if (!file.endsWith('.tmp')) return [{ file, bytes: stat.size, usedMs: stat.atimeMs }];
        if (Date.now() - stat.mtimeMs > TEMPORARY_FILE_TTL_MS) removeFile(file);
      } catch {
        // Ignored: another process removed the file.
      }
      return [];
    });

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissingPathError(error)) return [];
    throw error;
  }
}
