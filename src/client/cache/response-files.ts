/** Cached responses, one per file, verified when read: a damaged file counts as missing. */
import { hash } from 'node:crypto';
import { parseObject } from '../../platform/json-object.ts';
import { type CacheFile, openFileCache } from './file-cache.ts';

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

export type ResponseCache = ReturnType<typeof openResponseCache>;

export interface CacheScope {
  /** A hash that identifies the account. */
  readonly account: string;
  readonly baseUrl: string;
}

/** Computes a SHA-256 rather than a CRC, for which Node.js would load zlib and its streams (1 ms). */
const computeChecksum = (bytes: Buffer): string => hash('sha256', bytes);
const CHECKSUM_LENGTH = 64;

export const makeFullKey = ({ account, baseUrl }: CacheScope, target: string) => `${account}\n${baseUrl}\n${target}`;

/** Opens the cache in a directory. `fail` is called once if responses cannot be stored. */
export function openResponseCache(folder: string, scope: CacheScope, fail: (error: unknown) => void) {
  const files = openFileCache(folder, fail);
  return {
    read(target: string) {
      const key = makeFullKey(scope, target);
      const file = files.read(key);
      return file === null ? null : parseEntry(file, key);
    },
    write(target: string, response: CachedResponse) {
      const key = makeFullKey(scope, target);
      files.write(key, serializeEntry(key, response), response.confirmedMs);
    },
    /** Records that the response was used now, and that the service last confirmed it at `timeMs`. */
    confirm: (target: string, timeMs: number) => files.confirm(makeFullKey(scope, target), timeMs),
    sweep: files.sweep,
  };
}

/** Serializes an entry as `checksum head\nbody`; the checksum is that of everything after it. */
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
  const { v, key: storedKey, etag, stamp, requestId, incomplete } = parseObject(content.toString('utf8', 0, end)) ?? {};
  if (v !== 1 || storedKey !== key || typeof etag !== 'string') return null;
  return {
    etag,
    stamp: typeof stamp === 'string' ? stamp : null,
    requestId: typeof requestId === 'string' ? requestId : null,
    incomplete: incomplete === true,
    text: content.toString('utf8', end + 1),
    confirmedMs,
  };
}
