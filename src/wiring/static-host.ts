/** A static host as it is asked: requests, cache, and the pointer to its latest release. */
import { join } from 'node:path';
import { readCacheMax } from '../client/cache/cache-max.ts';
import { sweepSometimes } from '../client/cache/sweep-sometimes.ts';
import { badHost, type FileResponse, openFileRequests } from '../client/hosted/file-requests.ts';
import { pointerFile } from '../client/hosted/known-pointer.ts';
import { openRangeCache } from '../client/hosted/range-cache.ts';
import { openRangeReader, type RangeReader, type WantedRange } from '../client/hosted/range-reader.ts';
import { readPointer } from '../client/hosted/read-pointer.ts';
import { DEFAULT_OPTIONS } from '../client/options.ts';
import type { HostedSettings } from '../commands/ports/hosted.ts';
import { Failure } from '../contract/failure.ts';
import { reasonOf } from '../platform/system-error.ts';
import { FormatFault, MOST_BYTES, POINTER, type Pointer, parsePointer } from '../publish/format.ts';
import { parsePublicKey, signatureFault } from '../publish/signing.ts';

export type Host = ReturnType<typeof openHost>;

/** What is asked of a host, with its cache. */
export function openHost({ baseUrl, publicKey, directories, options: given, env, report }: HostedSettings) {
  const options = { ...DEFAULT_OPTIONS, ...given };
  const requests = openFileRequests({ baseUrl, options, env, report });
  const directory = options.noCache || directories.cache === null ? null : join(directories.cache, 'http');
  const file = directory === null ? null : pointerFile(directory, baseUrl);
  const cache =
    directory === null
      ? null
      : openRangeCache(directory, (error) =>
          report({ type: 'notice', text: `Ranges cannot be cached in ${directory}: ${reasonOf(error)}.` }),
        );
  const read: RangeReader = openRangeReader({ baseUrl, requests, cache, options, report });
  /** A pointer that goes back in time may be a publisher's choice, or an old one that somebody put there again. */
  const check = (text: string, before: string | null) => {
    const now = parsed(baseUrl, () => parsePointer(text));
    const earlier = before === null ? now : parsePointer(before);
    if (now.date >= earlier.date) return;
    report({ type: 'notice', text: `${baseUrl} now names release ${now.stamp}, older than ${earlier.stamp} before.` });
  };
  return {
    baseUrl,
    publicKey: publicKey === null ? null : parsePublicKey(publicKey),
    options,
    requests,
    file,
    read,
    pointer: (fresh: boolean) =>
      readPointer({ baseUrl, name: POINTER, most: MOST_BYTES[POINTER], requests, file, options, report, check }, fresh),
    /** Ranges of the cache; throws NotCached for others. */
    cachedOnly: async (ranges: readonly WantedRange[]): Promise<Uint8Array[]> => {
      const found = ranges.map(({ hash }) => cache?.read(hash) ?? null);
      const missing = ranges.filter((_, at) => found[at] === null);
      if (missing.length > 0) throw new NotCached(missing.reduce((sum, { length }) => sum + length, 0));
      return found.filter((bytes) => bytes !== null);
    },
    async close() {
      await requests.close();
      if (directory !== null && cache !== null) await sweepSometimes(directory, cache.written, readCacheMax(env));
    },
  };
}

/** Thrown where only the cache is read. */
export class NotCached extends Error {
  constructor(readonly bytes: number) {
    super(`${bytes} bytes are not cached`);
  }
}

/** The pointer in a host's text. Throws a Failure for a host without one, and for one that the required key did not sign. */
export function pointerOf(
  found: string | FileResponse,
  { baseUrl, publicKey }: Pick<Host, 'baseUrl' | 'publicKey'>,
): Pointer {
  if (typeof found === 'string') {
    const pointer = parsed(baseUrl, () => parsePointer(found));
    const fault = publicKey === null ? null : signatureFault(pointer, publicKey);
    if (fault === null) return pointer;
    throw new Failure('data', `The release at ${baseUrl} is not what the setting public_key accepts: ${fault}.`, {
      hint: 'Its publisher may have a new key: compare it, then fin config set public_key. Nothing of the release was read.',
    });
  }
  const { status } = found;
  if (status !== 404 && status !== 410) throw badHost(baseUrl, `answered ${status} to a request for ${POINTER}`);
  throw new Failure('data', `No release is published at ${baseUrl}: it has no ${POINTER} (it answered ${status}).`, {
    hint: 'Is the address right? fin data publish makes such a directory.',
  });
}

export function parsed<T>(baseUrl: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof FormatFault)) throw error;
    throw new Failure('data', `${baseUrl} ${error.message}.`, {
      hint: 'It must be a directory that fin data publish made, whole and unchanged. Is the address right?',
      cause: error,
    });
  }
}
