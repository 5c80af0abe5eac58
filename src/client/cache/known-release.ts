/** Stores the release that a service last served, in one small file per account and base URL. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { writeAtomically } from '../../platform/files/atomic-write.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import { parseObject } from '../../platform/json-object.ts';
import type { CacheScope } from './response-files.ts';
import type { ReleaseRecord } from './reuse.ts';

export interface KnownReleaseStore {
  read(): ReleaseRecord | null;
  /** Records the release that a response states; an older response does not replace a newer record. */
  record(stamp: string | null, timeMs: number): void;
}

/** Minimum interval in milliseconds between records of the same release, so that not every response causes a write. */
const MIN_RECORD_INTERVAL_MS = 2000;

export function openKnownReleaseStore(folder: string, { account, baseUrl }: CacheScope): KnownReleaseStore {
  const file = join(folder, `${hash('sha256', `${account}\n${baseUrl}`).slice(0, 32)}.release`);
  return {
    read: () => parseRecord(readText(file)),
    record(stamp, timeMs) {
      const stored = parseRecord(readText(file));
      // A record from the future, written before the clock was set back, is replaced.
      const newer = stored !== null && stored.at > timeMs && stored.at <= Date.now();
      if (newer || (stored?.stamp === stamp && Math.abs(timeMs - stored.at) < MIN_RECORD_INTERVAL_MS)) return;
      try {
        writeAtomically(file, JSON.stringify({ stamp, at: timeMs }));
      } catch {
        // Ignored: without the record, one additional request is sent.
      }
    },
  };
}

function readText(file: string): string {
  try {
    return readRegularFile(file);
  } catch {
    return '';
  }
}

function parseRecord(text: string): ReleaseRecord | null {
  const { stamp, at } = parseObject(text) ?? {};
  return typeof at === 'number' && (stamp === null || typeof stamp === 'string') ? { stamp, at } : null;
}
