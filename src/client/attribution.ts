/**
 * Remembers the attribution last received from each origin: prices are never shown without one, even if a response
 * lacks it.
 */
import { join } from 'node:path';
import type { Attribution } from '../contract/resources/envelope.ts';
import { writeAtomically } from '../platform/atomic-write.ts';
import { sha256 } from '../platform/hash.ts';
import { readRegularFile } from '../platform/regular-file.ts';

export interface AttributionMemory {
  last(): Attribution | null;
  keep(attribution: Attribution): void;
}

/** @param directory of the user's state; null to remember it in this process only */
export function openAttributionMemory(directory: string | null, origin: string): AttributionMemory {
  const fileIn = (state: string) => join(state, 'attributions', `${sha256(origin).slice(0, 32)}.json`);
  let last: Attribution | null = null;
  const read = () => {
    last ??= directory === null ? null : readFile(fileIn(directory));
    return last;
  };
  return {
    last: read,
    keep(attribution) {
      const stored = read();
      if (stored?.text === attribution.text && stored.url === attribution.url) return;
      last = attribution;
      try {
        const { text, url } = attribution;
        if (directory !== null) writeAtomically(fileIn(directory), JSON.stringify({ origin, text, url }));
      } catch {
        // The process itself still remembers it.
      }
    },
  };
}

function readFile(file: string): Attribution | null {
  try {
    return attributionOf({ attribution: JSON.parse(readRegularFile(file)) });
  } catch {
    return null;
  }
}

/** Returns the attribution in a response's meta, or null. */
export function attributionOf(meta: Readonly<Record<string, unknown>>): Attribution | null {
  const { attribution } = meta;
  if (typeof attribution !== 'object' || attribution === null) return null;
  const { text, url } = attribution as Record<string, unknown>;
  return typeof text === 'string' && typeof url === 'string' ? { text, url } : null;
}
