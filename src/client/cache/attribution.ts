/**
 * Stores the attribution last received from each origin, so that prices can be shown with an attribution even if a
 * response lacks it.
 */
import { join } from 'node:path';
import type { Attribution } from '../../contract/resources/envelope.ts';
import { sha256 } from '../../platform/builtins/hash.ts';
import { writeAtomically } from '../../platform/files/atomic-write.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import { parseObject } from '../../platform/json-object.ts';

export interface AttributionStore {
  readLast(): Attribution | null;
  store(attribution: Attribution): void;
}

/**
 * Opens the stored attribution of an origin.
 * @param directory the user's state directory; null to keep the attribution only in this process
 */
export function openAttributionStore(directory: string | null, origin: string): AttributionStore {
  const findFile = (state: string) => join(state, 'attributions', `${sha256(origin).slice(0, 32)}.json`);
  let lastAttribution: Attribution | null = null;
  const readStoredAttribution = () => {
    lastAttribution ??= directory === null ? null : readAttributionFile(findFile(directory));
    return lastAttribution;
  };
  return {
    readLast: readStoredAttribution,
    store(attribution) {
      const storedAttribution = readStoredAttribution();
      if (storedAttribution?.text === attribution.text && storedAttribution.url === attribution.url) return;
      lastAttribution = attribution;
      try {
        const { text, url } = attribution;
        if (directory !== null) writeAtomically(findFile(directory), JSON.stringify({ origin, text, url }));
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
