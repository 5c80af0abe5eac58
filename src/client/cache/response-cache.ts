/**
 * Held answers: one file each, written to the side and renamed into place, checked when read. Whatever
 * is torn, damaged, somebody else's or in the way is a miss, never an error.
 */
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { writeAtomically } from '../../platform/atomic-write.ts';

/** What is kept of one 200, body apart. */
export interface CachedResponse {
  readonly etag: string;
  /** Stamp of the release that it names, or null. */
  readonly stamp: string | null;
  readonly requestId: string | null;
  /** The body to the byte. */
  readonly text: string;
  /** When the service last said so (epoch ms). */
  readonly confirmed: number;
}

export interface ResponseCache {
  read(target: string): CachedResponse | null;
  write(target: string, held: CachedResponse): void;
  /** Notes that the service said so again, or (with the time it has already) that the answer was used. */
  confirm(target: string, at: number): void;
  /** Bytes written by this process. */
  readonly written: number;
}

export interface CacheScope {
  /** Fingerprint of the account. */
  readonly account: string;
  readonly baseUrl: string;
}

/** No answer is longer; a file that is, is none of ours. */
const FILE_MAX = 80 * 1024 * 1024;
const CRC_LENGTH = 9;

export function cacheFile(directory: string, scope: CacheScope, target: string): string {
  const name = hash('sha256', fullKey(scope, target));
  return join(directory, name.slice(0, 2), name.slice(2, 40));
}

const fullKey = ({ account, baseUrl }: CacheScope, target: string) => `${account}\n${baseUrl}\n${target}`;

/** @param failed told once, when answers cannot be held */
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
      return bytes === null ? null : parseHeld(bytes, fullKey(scope, target));
    },
    write(target, held) {
      if (!working) return;
      const bytes = printHeld(fullKey(scope, target), held);
      try {
        writeAtomically(fileOf(target), bytes);
        setTimes(fileOf(target), held.confirmed);
        written += bytes.length;
      } catch (error) {
        working = false;
        failed(error);
      }
    },
    confirm: (target, at) => setTimes(fileOf(target), at),
  };
}

/** mtime: when the service last said so. atime: when the answer was last used, for the sweep. */
function setTimes(file: string, confirmed: number): void {
  try {
    utimesSync(file, Date.now() / 1000, confirmed / 1000);
  } catch {
    // Swept away in the meantime: the next question is a miss.
  }
}

interface Read {
  readonly bytes: Buffer;
  readonly confirmed: number;
}

/** The file's bytes, if it is a plain file of this user's own. */
function readOwn(file: string): Read | null {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(handle);
    const foreign = process.getuid !== undefined && stat.uid !== process.getuid();
    if (!stat.isFile() || foreign || stat.size > FILE_MAX) return null;
    return { bytes: readFileSync(handle), confirmed: stat.mtimeMs };
  } catch {
    return null;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** `crc head\nbody`: the checksum is of everything after it. */
function printHeld(key: string, held: CachedResponse): Buffer {
  const head = JSON.stringify({ v: 1, key, etag: held.etag, stamp: held.stamp, requestId: held.requestId });
  const rest = Buffer.from(`${head}\n${held.text}`);
  return Buffer.concat([Buffer.from(`${crc32(rest).toString(16).padStart(8, '0')} `), rest]);
}

function parseHeld({ bytes, confirmed }: Read, key: string): CachedResponse | null {
  const rest = bytes.subarray(CRC_LENGTH);
  const crc = bytes.toString('latin1', 0, CRC_LENGTH - 1);
  const end = rest.indexOf(10);
  if (end < 0 || !/^[0-9a-f]{8}$/.test(crc) || Number.parseInt(crc, 16) !== crc32(rest)) return null;
  const { v, key: own, etag, stamp, requestId } = parseHead(rest.toString('utf8', 0, end));
  if (v !== 1 || own !== key || typeof etag !== 'string') return null;
  return {
    etag,
    stamp: typeof stamp === 'string' ? stamp : null,
    requestId: typeof requestId === 'string' ? requestId : null,
    text: rest.toString('utf8', end + 1),
    confirmed,
  };
}

function parseHead(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
