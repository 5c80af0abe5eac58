/**
 * Stores the last pointer of each static host, in one small file per base URL. A pointer is the file by which a host
 * names its latest release.
 */
import { join } from 'node:path';
import { sha256 } from '../../platform/builtins/loaded-on-use.ts';
import { writeIfPossible } from '../../platform/files/atomic-write.ts';
import { readIfReadable } from '../../platform/files/regular-file.ts';
import { parseObject } from '../../platform/json-object.ts';

export interface KnownPointer {
  /** Text of the pointer; null if the address turned out to be a service. */
  readonly text: string | null;
  readonly etag: string | null;
  /** Epoch milliseconds of the last confirmation. */
  readonly at: number;
}

/**
 * Returns the path of the stored pointer.
 * @param folder the directory of cached responses
 */
export const getPointerPath = (folder: string, baseUrl: string) =>
  join(folder, `${sha256(baseUrl).slice(0, 32)}.pointer`);

export function readKnownPointer(file: string | null): KnownPointer | null {
  const { text, etag, at } = parseObject((file === null ? null : readIfReadable(file)) ?? '') ?? {};
  const isValid = (typeof text === 'string' || text === null) && (typeof etag === 'string' || etag === null);
  return isValid && typeof at === 'number' ? { text, etag, at } : null;
}

/** Stores the pointer if possible, and returns it. */
export function storePointer(file: string | null, pointer: KnownPointer): KnownPointer {
  if (file !== null) writeIfPossible(file, JSON.stringify(pointer));
  return pointer;
}
