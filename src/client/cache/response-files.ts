/**
 * Cached responses, one per file, written atomically and verified when read. A file that is damaged or belongs to
 * another user counts as missing, and never causes an error.
 */
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../platform/files/atomic-write.ts';
import { parseObject } from '../../platform/json-object.ts';

/** A cached 200 response. */
export interface CachedResponse {
  readonly etag: string;
  /** Stamp of the release in the response's meta; null if the response has no stamp. */
  readonly stamp: string | null;
  readonly requestId: string | null;
  /** Whether text fields that the HTTP API requires are missing in the response. */
  readonly incomplete: boolean;
  /** The body, byte for byte. */
  readonly text: string;
  /** Epoch milliseconds of the last confirmation by the service. */
  readonly confirmedMs: number;
}

export interface ResponseCache {
  read(target: string): CachedResponse | null;
  write(target: string, response: CachedResponse): void;
  /** Records that the response was used now, and that the service last confirmed it at `timeMs`. */
  confirm(target: string, timeMs: number): void;
  /** Number of bytes written by this process. */
  readonly writtenBytes: number;
}

export interface CacheScope {
  /** A hash that identifies the account. */
  readonly account: string;
  readonly baseUrl: string;
}

/** Maximum size of a cached file. Responses are smaller, so a larger file was not written by fin. */
const MAX_FILE_BYTES = 80 * 1024 * 1024;

/** SHA-256 rather than a CRC, for which Node.js would load zlib and its streams (1 ms). */
const computeChecksum = (bytes: Buffer): string => hash('sha256', bytes);
const CHECKSUM_LENGTH = 64;

export function findCacheFile(folder: string, scope: CacheScope, target: string): string {
  const name = hash('sha256', makeFullKey(scope, target));
  return join(folder, name.slice(0, 2), name.slice(2, 40));
}

const makeFullKey = ({ account, baseUrl }: CacheScope, target: string) => `${account}\n${baseUrl}\n${target}`;

/**
 * Opens the cache in a directory.
 * @param fail called once if responses cannot be stored; from then on, the cache stores nothing
 */
export function openResponseCache(folder: string, scope: CacheScope, fail: (error: unknown) => void): ResponseCache {
  let writable = true;
  let written = 0;
  const files = new Map<string, string>();
  const fileOf = (target: string) => {
    const file = files.get(target) ?? findCacheFile(folder, scope, target);
    files.set(target, file);
    return file;
  };
  return {
    get writtenBytes() {
      return written;
    },
    read(target) {
      const file = readUserOwnedFile(fileOf(target));
      return file === null ? null : parseEntry(file, makeFullKey(scope, target));
    },
    write(target, response) {
      if (!writable) return;
      const bytes = serializeEntry(makeFullKey(scope, target), response);
      try {
        writeAtomically(fileOf(target), bytes);
        setTimes(fileOf(target), response.confirmedMs);
        written += bytes.length;
      } catch (error) {
        writable = false;
        fail(error);
      }
    },
    confirm: (target, timeMs) => setTimes(fileOf(target), timeMs),
  };
}

/**
 * Sets the file's times. mtime: the last confirmation by the service; atime: the last use, which decides the order of
 * removal.
 */
function setTimes(file: string, confirmed: number): void {
  try {
    utimesSync(file, Date.now() / 1000, confirmed / 1000);
  } catch {
    // Ignored: another process removed the file, so the next request will not find it.
  }
}

interface CacheFile {
  readonly bytes: Buffer;
  readonly confirmedMs: number;
}

/** Returns a file's content; null if the file is missing, too large, not a regular file, or of another user. */
export function readUserOwnedFile(file: string): CacheFile | null {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(descriptor);
    const foreign = process.getuid !== undefined && stat.uid !== process.getuid();
    if (!stat.isFile() || foreign || stat.size > MAX_FILE_BYTES) return null;
    return { bytes: readFileSync(descriptor), confirmedMs: stat.mtimeMs };
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Serializes an entry as `checksum head\nbody`; the checksum covers everything after it. */
function serializeEntry(key: string, response: CachedResponse): Buffer {
  const { etag, stamp, requestId, incomplete } = response;
  const head = JSON.stringify({ v: 1, key, etag, stamp, requestId, ...(incomplete ? { incomplete } : {}) });
  const content = Buffer.from(`${head}\n${response.text}`);
  return Buffer.concat([Buffer.from(`${computeChecksum(content)} `), content]);
}

function parseEntry({ bytes, confirmedMs }: CacheFile, key: string): CachedResponse | null {
  const content = bytes.subarray(CHECKSUM_LENGTH + 1);
  const end = content.indexOf(10);
  if (end < 0 || bytes.toString('latin1', 0, CHECKSUM_LENGTH) !== computeChecksum(content)) return null;
  const { v, key: stored, etag, stamp, requestId, incomplete } = parseObject(content.toString('utf8', 0, end)) ?? {};
  if (v !== 1 || stored !== key || typeof etag !== 'string') return null;
  return {
    etag,
    stamp: typeof stamp === 'string' ? stamp : null,
    requestId: typeof requestId === 'string' ? requestId : null,
    incomplete: incomplete === true,
    text: content.toString('utf8', end + 1),
    confirmedMs,
  };
}
