/** Stores in small files what a service last sent: the attribution of its prices, and its release. */

import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Attribution } from '../../contract/resources/envelope.ts';
import { sha256 } from '../../platform/builtins/loaded-on-use.ts';
import { writeIfPossible } from '../../platform/files/atomic-write.ts';
import { readIfReadable } from '../../platform/files/regular-file.ts';
import { parseObject } from '../../platform/json-object.ts';
import type { CacheScope } from './response-files.ts';
import type { ReleaseRecord } from './reuse.ts';

export type AttributionStore = ReturnType<typeof openAttributionStore>;

/**
 * Opens the store of an origin's last attribution, so that prices can be shown with an attribution even if their
 * response has none.
 * @param folder the user's state directory; null to keep the attribution only in this process
 */
export function openAttributionStore(folder: string | null, origin: string) {
  const getFile = (state: string) => join(state, 'attributions', `${sha256(origin).slice(0, 32)}.json`);
  let last: Attribution | null = null;
  const readStored = () => {
    const text = folder === null || last !== null ? null : readIfReadable(getFile(folder));
    last ??= readAttribution({ attribution: parseObject(text ?? '') });
    return last;
  };
  return {
    readLast: readStored,
    store(attribution: Attribution) {
      const stored = readStored();
      if (stored?.text === attribution.text && stored.url === attribution.url) return;
      last = attribution;
      const { text, url } = attribution;
      // If the file cannot be written, this process still has the attribution.
      if (folder !== null) writeIfPossible(getFile(folder), JSON.stringify({ origin, text, url }));
    },
  };
}

/** Returns the attribution in a response's meta; null if it has none. */
export function readAttribution(meta: Readonly<Record<string, unknown>>): Attribution | null {
  const { attribution } = meta;
  if (typeof attribution !== 'object' || attribution === null) return null;
  const { text, url } = attribution as Record<string, unknown>;
  return typeof text === 'string' && typeof url === 'string' ? { text, url } : null;
}

export type KnownReleaseStore = ReturnType<typeof openKnownReleaseStore>;

/** Minimum interval in milliseconds between records of the same release, so that not every response causes a write. */
const MIN_RECORD_INTERVAL_MS = 2000;

/** Opens the record of the release that a service last served, by account and base URL. */
export function openKnownReleaseStore(folder: string, { account, baseUrl }: CacheScope) {
  const file = join(folder, `${hash('sha256', `${account}\n${baseUrl}`).slice(0, 32)}.release`);
  return {
    read: () => readRecord(file),
    /** Records the release that a response states; an older response does not replace a newer record. */
    record(stamp: string | null, timeMs: number) {
      const stored = readRecord(file);
      // A record from the future, written before the clock was set back, is replaced.
      const isStoredNewer = stored !== null && stored.at > timeMs && stored.at <= Date.now();
      if (isStoredNewer || (stored?.stamp === stamp && Math.abs(timeMs - stored.at) < MIN_RECORD_INTERVAL_MS)) return;
      writeIfPossible(file, JSON.stringify({ stamp, at: timeMs }));
    },
  };
}

function readRecord(file: string): ReleaseRecord | null {
  const { stamp, at } = parseObject(readIfReadable(file) ?? '') ?? {};
  return typeof at === 'number' && (stamp === null || typeof stamp === 'string') ? { stamp, at } : null;
}
