/**
 * Cached responses, one per file, written atomically and checked when read. A damaged file, or one of another user,
 * is a miss and never an error.
 */
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../platform/atomic-write.ts';
import { parseObject } from '../../platform/json-object.ts';

/** The cached data of one 200. */
export interface CachedResponse {
  readonly etag: string;
  /** Stamp of the release that the response names, or null. */
  readonly stamp: string | null;
  readonly requestId: string | null;
  /** Whether the response lacks texts that the interface requires. */
  readonly incomplete: boolean;
  /** The body, byte for byte. */
  readonly text: string;
  /** When the service last confirmed the response (epoch ms). */
  readonly confirmed: number;
}

export interface ResponseCache {
  read(target: string): CachedResponse | null;
  write(target: string, response: CachedResponse): void;
  /** Records that the service confirmed the response; with an unchanged time, only that it was used. */
  confirm(target: string, position: number): void;
  /** Number of bytes written by this process. */
  readonly written: number;
}

export interface CacheScope {
  /** Hash that identifies the account. */
  readonly account: string;
  readonly baseUrl: string;
}

/** Maximum size of a cached file; responses are smaller, so a larger file is foreign. */
const MAX_FILE_BYTES = 80 * 1024 * 1024;

/** Not a CRC, for which Node.js would load zlib and its streams: 1 ms. */
const checksum = (bytes: Buffer): string => hash('sha256', bytes);
const CHECKSUM_LENGTH = 64;

export function cacheFile(directory: string, scope: CacheScope, target: string): string {
  const name = hash('sha256', fullKey(scope, target));
  return join(directory, name.slice(0, 2), name.slice(2, 40));
}

const fullKey = ({ account, baseUrl }: CacheScope, target: string) => `${account}\n${baseUrl}\n${target}`;

/** @param failed called once if responses cannot be cached; from then on none are */
export function openResponseCache(
  directory: string,
  scope: CacheScope,
  failed: (error: unknown) => void,
): ResponseCache {
  let working = true;
  let written = 0;
  const files = new Map<string, string>();
  const fileOf = (target: string) => {
    const file = files.get(target) ?? cacheFile(directory, scope, target);
    files.set(target, file);
    return file;
  };
  return {
    get written() {
      return written;
    },
    read(target) {
      const bytes = readOwn(fileOf(target));
      return bytes === null ? null : parseEntry(bytes, fullKey(scope, target));
    },
    write(target, response) {
      if (!working) return;
      const bytes = printEntry(fullKey(scope, target), response);
      try {
        writeAtomically(fileOf(target), bytes);
        setTimes(fileOf(target), response.confirmed);
        written += bytes.length;
      } catch (error) {
        working = false;
        failed(error);
      }
    },
    confirm: (target, index) => setTimes(fileOf(target), index),
  };
}

/** mtime: when the service last confirmed it. atime: when it was last used; decides what is removed first. */
function setTimes(file: string, confirmed: number): void {
  try {
    utimesSync(file, Date.now() / 1000, confirmed / 1000);
  } catch {
    // Another process removed the file: the next request is a miss.
  }
}

interface Read {
  readonly bytes: Buffer;
  readonly confirmed: number;
}

/** Returns the file's bytes if it is a regular file of this user. */
export function readOwn(file: string): Read | null {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(handle);
    const othersFile = process.getuid !== undefined && stat.uid !== process.getuid();
    if (!stat.isFile() || othersFile || stat.size > MAX_FILE_BYTES) return null;
    return { bytes: readFileSync(handle), confirmed: stat.mtimeMs };
  } catch {
    return null;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Writes `checksum head\nbody`, with the checksum of everything after it. */
function printEntry(key: string, response: CachedResponse): Buffer {
  const { etag, stamp, requestId, incomplete } = response;
  const head = JSON.stringify({ v: 1, key, etag, stamp, requestId, ...(incomplete ? { incomplete } : {}) });
  const rest = Buffer.from(`${head}\n${response.text}`);
  return Buffer.concat([Buffer.from(`${checksum(rest)} `), rest]);
}

function parseEntry({ bytes, confirmed }: Read, key: string): CachedResponse | null {
  const rest = bytes.subarray(CHECKSUM_LENGTH + 1);
  const end = rest.indexOf(10);
  if (end < 0 || bytes.toString('latin1', 0, CHECKSUM_LENGTH) !== checksum(rest)) return null;
  const { v, key: own, etag, stamp, requestId, incomplete } = parseObject(rest.toString('utf8', 0, end)) ?? {};
  if (v !== 1 || own !== key || typeof etag !== 'string') return null;
  return {
    etag,
    stamp: typeof stamp === 'string' ? stamp : null,
    requestId: typeof requestId === 'string' ? requestId : null,
    incomplete: incomplete === true,
    text: rest.toString('utf8', end + 1),
    confirmed,
  };
}
