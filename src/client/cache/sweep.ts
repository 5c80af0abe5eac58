/** The cache as a whole: how many responses, how large, and which are removed when there are too many. */
import { readdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../platform/system-error.ts';

export interface CacheTotals {
  readonly entries: number;
  readonly bytes: number;
  /** When the response unused longest was last used (epoch ms), or null. */
  readonly oldest: number | null;
}

interface Entry {
  readonly file: string;
  readonly bytes: number;
  readonly used: number;
}

/** A temporary file this old (ms) was left by a process that is gone. */
const TEMPORARY_TTL_MS = 3_600_000;

/** Throws the system's error where the directory cannot be listed, as do the others. */
export function readCacheTotals(directory: string): CacheTotals {
  const entries = listEntries(directory);
  return {
    entries: entries.length,
    bytes: sum(entries),
    oldest: entries.reduce<number | null>((least, { used }) => (least === null || used < least ? used : least), null),
  };
}

/** Removes what was unused longest until `max` bytes are left; returns how many responses were removed. */
export function sweepCache(directory: string, max: number): number {
  const entries = listEntries(directory).sort((a, b) => a.used - b.used);
  let left = sum(entries);
  let removed = 0;
  for (const { file, bytes } of entries) {
    if (left <= max) break;
    if (remove(file)) removed++;
    left -= bytes;
  }
  return removed;
}

/** Removes every cached response; returns how many there were. */
export function clearCache(directory: string): number {
  const { length } = listEntries(directory);
  rmSync(directory, { recursive: true, force: true });
  return length;
}

const sum = (entries: readonly Entry[]) => entries.reduce((total, { bytes }) => total + bytes, 0);

function listEntries(directory: string): Entry[] {
  return list(directory)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((group) => list(join(directory, group)).map((name) => join(directory, group, name)))
    .flatMap((file) => {
      try {
        const stat = statSync(file);
        if (!file.endsWith('.tmp')) return [{ file, bytes: stat.size, used: stat.atimeMs }];
        if (Date.now() - stat.mtimeMs > TEMPORARY_TTL_MS) remove(file);
      } catch {
        // Swept by another process.
      }
      return [];
    });
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function remove(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}
