/**
 * Stores the attribution last received from each origin, so that prices can be shown with an attribution even if a
 * response lacks it.
 */
import { join } from 'node:path';
import type { Attribution } from '../../contract/resources/envelope.ts';
import { sha256 } from '../../platform/builtins/loaded-on-use.ts';
import { writeAtomically } from '../../platform/files/atomic-write.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import { parseObject } from '../../platform/json-object.ts';

export interface AttributionStore {
  readLast(): Attribution | null;
  store(attribution: Attribution): void;
}

/**
 * Opens the stored attribution of an origin.
 * @param folder the user's state directory; null to keep the attribution only in this process
 */
export function openAttributionStore(folder: string | null, origin: string): AttributionStore {
  const fileOf = (state: string) => join(state, 'attributions', `${sha256(origin).slice(0, 32)}.json`);
  let last: Attribution | null = null;
  const readStored = () => {
    last ??= folder === null ? null : readAttributionFile(fileOf(folder));
    return last;
  };
  return {
    readLast: readStored,
    store(credit) {
      const stored = readStored();
      if (stored?.text === credit.text && stored.url === credit.url) return;
      last = credit;
      try {
        const { text, url } = credit;
        if (folder !== null) writeAtomically(fileOf(folder), JSON.stringify({ origin, text, url }));
      } catch {
        // Ignored: the attribution remains in memory for this process.
      }
    },
  };
}

function readAttributionFile(file: string): Attribution | null {
  try {
    return readAttribution({ attribution: parseObject(readRegularFile(file)) });
  } catch {
    return null;
  }
}

/** Returns the attribution in a response's meta; null if it has none. */
export function readAttribution(meta: Readonly<Record<string, unknown>>): Attribution | null {
  const { attribution } = meta;
  if (typeof attribution !== 'object' || attribution === null) return null;
  const { text, url } = attribution as Record<string, unknown>;
  return typeof text === 'string' && typeof url === 'string' ? { text, url } : null;
}
