/** Access to a static host: requests, cache, and the pointer to the latest release. */
import { join } from 'node:path';
import { readCacheMaxBytes } from '../client/cache/file-cache.ts';
import { type FileResponse, makeHostFailure, openFileRequester } from '../client/published/file-requests.ts';
import { getPointerPath } from '../client/published/known-pointer.ts';
import { openRangeCache, openRangeReader, type RangeRequest } from '../client/published/range-reader.ts';
import { readPointer } from '../client/published/read-pointer.ts';
import { DEFAULT_OPTIONS } from '../client/request/client-options.ts';
import type { PublishedSettings } from '../client/request/ports.ts';
import { Failure, nullIfFailure } from '../contract/failure.ts';
import { describeCause } from '../platform/files/system-error.ts';
import { FormatError, MAX_BYTES_BY_FILE, POINTER_FILE, parsePointer, type ReleasePointer } from '../publish/format.ts';
import { findSignatureFault, parsePublicKey } from '../publish/signing.ts';

export type PublishedHost = ReturnType<typeof openHost>;
type HostKey = Pick<PublishedHost, 'baseUrl' | 'publicKey'>;

export function openHost({ baseUrl, publicKey, directories, options: overrides, env, report }: PublishedSettings) {
  const options = { ...DEFAULT_OPTIONS, ...overrides };
  const requests = openFileRequester({ baseUrl, options, env, report });
  const cacheDirectory = options.noCache || directories.cache === null ? null : join(directories.cache, 'http');
  const file = cacheDirectory === null ? null : getPointerPath(cacheDirectory, baseUrl);
  const warn = (error: unknown) => {
    const text = `Data of the release cannot be cached in ${cacheDirectory}: ${describeCause(error)}.`;
    report({ type: 'notice', text });
  };
  const cache = cacheDirectory === null ? null : openRangeCache(cacheDirectory, warn);
  const read = openRangeReader({ baseUrl, requests, cache, options, report });
  const settings = { baseUrl, publicKey: publicKey === null ? null : parsePublicKey(publicKey) };
  /**
   * Rejects a pointer to an earlier release, unless `--allow-older` is given: an attacker may have restored an old
   * pointer, which still has a valid signature.
   */
  const refuseOlderRelease = (pointerText: string, previous: string | null) => {
    const next = requirePointer(pointerText, settings);
    const earlier = previous === null ? next : requirePointer(previous, settings);
    if (next.date >= earlier.date) return;
    const text = `${baseUrl} now offers release ${next.stamp}, which is older than ${earlier.stamp}, the release that it offered before`;
    if (!options.allowOlder) {
      const hint =
        'The publisher may have withdrawn a release, or somebody else may have replaced the release. To read the older release anyway: --allow-older';
      throw new Failure('data', `${text}. The older release was not read.`, { hint });
    }
    report({ type: 'notice', text: `${text}.` });
  };
  /** Whether a cached pointer is signed by the required key, which may have been set after the pointer was cached. */
  const isAccepted = (text: string): boolean => {
    try {
      requirePointer(text, settings);
      return true;
    } catch (error) {
      return nullIfFailure(error) ?? false;
    }
  };
  const pointerFile = { name: POINTER_FILE, maxBytes: MAX_BYTES_BY_FILE[POINTER_FILE], check: refuseOlderRelease };
  const host = { ...settings, options, requests, file, read, isAccepted };
  return {
    ...host,
    getPointer: (mustAsk: boolean) => readPointer({ ...host, ...pointerFile, report }, mustAsk),
    /** Returns cached ranges; throws NotCachedError if any range is not cached. */
    readCached: async (ranges: readonly RangeRequest[]): Promise<Uint8Array[]> => {
      const cached = ranges.map(({ hash }) => cache?.read(hash) ?? null);
      const gaps = ranges.filter((_, index) => cached[index] === null);
      if (gaps.length > 0) throw new NotCachedError(gaps.reduce((sum, { length }) => sum + length, 0));
      return cached.filter((bytes) => bytes !== null);
    },
    async close() {
      await requests.close();
      await cache?.sweep(readCacheMaxBytes(env));
    },
  };
}

/** Thrown if data is not cached and must not be requested. */
export class NotCachedError extends Error {
  constructor(readonly bytes: number) {
    super(`${bytes} bytes of the release are not cached`);
  }
}

/**
 * Returns the pointer from a host's response. Throws a Failure if the response has no pointer, or if the pointer is not
 * signed by the required key.
 */
export function requirePointer(answer: string | FileResponse, { baseUrl, publicKey }: HostKey): ReleasePointer {
  if (typeof answer === 'string') {
    const pointer = parseOrFail(baseUrl, () => parsePointer(answer));
    const fault = publicKey === null ? null : findSignatureFault(pointer, publicKey);
    if (fault === null) return pointer;
    const hint =
      'Nothing was read. If the publisher has a new key, ask the publisher for the key, then set it: fin config set public_key <key>';
    throw new Failure('data', `The release at ${baseUrl} does not match the setting public_key: ${fault}.`, { hint });
  }
  const { status } = answer;
  // A compromised host may send any status, so if a key is required, every response without a pointer is a data
  // Failure.
  const isMissing = status === 404 || status === 410;
  if (publicKey === null && !isMissing)
    throw makeHostFailure(baseUrl, `answered ${status} to a request for ${POINTER_FILE}`, false);
  const text = isMissing
    ? `No release is published at ${baseUrl}: it has no ${POINTER_FILE} (status ${status}).`
    : `No release can be read at ${baseUrl}: it answered ${status} to a request for ${POINTER_FILE}.`;
  const hint = `Check the address: it must be a directory that "fin data publish" made.${publicKey === null ? '' : ' The setting public_key is only for published releases; remove it to use a service.'}`;
  throw new Failure('data', text, { hint });
}

export function parseOrFail<T>(baseUrl: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new Failure('data', `${baseUrl} ${error.message}.`, {
      hint: 'Check the address: it must be a complete, unchanged directory that "fin data publish" made. If it is, update fin: a newer version may have published the release.',
      cause: error,
    });
  }
}
