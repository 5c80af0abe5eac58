/**
 * Reads ranges of published files from the cache or the host. All returned bytes have the requested hash; otherwise a
 * Failure is thrown.
 */

import { hash } from 'node:crypto';
import { Failure, isFailure } from '../../contract/failure.ts';
import { divideIntoRuns } from '../../platform/collections.ts';
import { createGate } from '../../platform/workers/gate.ts';
import { findCacheFile, openFileCache } from '../cache/file-cache.ts';
import type { ClientContext } from '../request/client-options.ts';
import { makeNotCachedFailure } from '../request/request.ts';
import { type FileRequester, makeHostFailure } from './file-requests.ts';
import { runSingleFlight } from './single-flight.ts';

export interface RangeRequest {
  /** Path below the base URL. */
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  /** Leading hexadecimal digits of the SHA-256 of the range's bytes. */
  readonly hash: string;
  /** Whether the range is the whole file, so that no range request is needed. */
  readonly isWholeFile?: boolean;
}

/**
 * Cached ranges of published files, named by a hash of their content. All processes share them, and so do releases with
 * equal content.
 */
type RangeCache = ReturnType<typeof openRangeCache>;

/** Whether the bytes have the expected hash, which consists of the leading digits of a SHA-256. */
export const hasHashPrefix = (bytes: Uint8Array, expected: string) => hash('sha256', bytes).startsWith(expected);

/**
 * Opens the cache in the directory of cached responses, so that one size limit and one sweep apply to both. `fail` is
 * called once if ranges cannot be stored.
 */
export function openRangeCache(folder: string, fail: (error: unknown) => void) {
  const files = openFileCache(folder, fail);
  const makeKey = (digits: string) => `range\n${digits}`;
  return {
    /** Returns the bytes with this hash; null if they are not cached or damaged. */
    read(digits: string): Uint8Array | null {
      const file = files.read(makeKey(digits));
      if (file === null || !hasHashPrefix(file.bytes, digits)) return null;
      files.confirm(makeKey(digits), file.confirmedMs);
      return file.bytes;
    },
    write: (digits: string, bytes: Uint8Array) => files.write(makeKey(digits), bytes),
    /** Returns the path of a range's file, whether or not the file exists. */
    findFile: (digits: string) => findCacheFile(folder, makeKey(digits)),
    sweep: files.sweep,
  };
}

interface RangeReaderSetup extends Pick<ClientContext, 'baseUrl' | 'options' | 'report'> {
  readonly requests: FileRequester;
  /** The range cache; null if caching is disabled. */
  readonly cache: RangeCache | null;
}

export type RangeReader = (ranges: readonly RangeRequest[]) => Promise<Uint8Array[]>;

/** Thrown if the host no longer has the published bytes, probably because the release was replaced. */
class RangeGoneError extends Failure {
  readonly gone = true;
}

export const isRangeGoneError = (error: unknown): error is RangeGoneError => isFailure(error) && 'gone' in error;

/** Maximum number of bytes per request for several adjacent ranges. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
/** Maximum number of bytes per range, because the bytes of six requests are in memory at a time. */
const MAX_RANGE_BYTES = 32 * 1024 * 1024;
const MAX_PARALLEL_REQUESTS = 6;
/** Maximum milliseconds to wait while another process loads a range, in addition to the time for its transfer. */
const MAX_WAIT_MS = 30_000;
/** Assumed transfer rate, from which the time for a range's transfer is computed. */
const MIN_BYTES_PER_SECOND = 100 * 1024;

export function openRangeReader(setup: RangeReaderSetup): RangeReader {
  const { cache, options, report, baseUrl } = setup;
  const runWhenFree = createGate(MAX_PARALLEL_REQUESTS, Number.POSITIVE_INFINITY);
  let batch: { readonly range: RangeRequest; readonly settle: (bytes: Promise<Uint8Array>) => void }[] = [];

  /** Reads all ranges that callers requested since the last flush, so that adjacent ranges share a request. */
  function flush(): void {
    const requests = batch;
    batch = [];
    const uncached = requests.filter(({ range, settle }) => {
      const bytes = cache?.read(range.hash) ?? null;
      if (bytes !== null) settle(Promise.resolve(bytes));
      return bytes === null;
    });
    for (const adjacent of groupAdjacentRanges(uncached)) {
      const pending = runWhenFree(() => fetchAdjacentRanges(adjacent.map(({ range }) => range)), options.signal);
      for (const [index, { settle }] of adjacent.entries()) settle(pending.then((all) => all[index] as Uint8Array));
    }
  }

  async function fetchAdjacentRanges(ranges: readonly RangeRequest[]): Promise<Uint8Array[]> {
    const [first] = ranges;
    if (first === undefined) return [];
    if (options.offline) throw makeNotCachedFailure(first.path);
    const length = ranges.reduce((sum, range) => sum + range.length, 0);
    if (length > MAX_RANGE_BYTES)
      throw makeHostFailure(baseUrl, `lists a part of ${first.path} with ${length} bytes, which is too large to read`);
    const readCached = () => {
      const cached = ranges.map(({ hash }) => cache?.read(hash) ?? null);
      return cached.every((bytes) => bytes !== null) ? cached : null;
    };
    const longestWait = MAX_WAIT_MS + (length / MIN_BYTES_PER_SECOND) * 1000;
    const request = () => requestAndVerifyRanges(ranges);
    const file = cache?.findFile(first.hash) ?? null;
    return runSingleFlight<Uint8Array[]>(file, readCached, request, { longestWait, signal: options.signal });
  }

  async function requestAndVerifyRanges(ranges: readonly RangeRequest[]): Promise<Uint8Array[]> {
    let fault = '';
    for (const mustReload of [false, true]) {
      const bytes = await requestOnce(ranges, mustReload);
      let offset = 0;
      const rangeBytes = ranges.map(({ length }) => {
        offset += length;
        return bytes.subarray(offset - length, offset);
      });
      const mismatch = ranges.find(({ hash }, index) => !hasHashPrefix(rangeBytes[index] ?? bytes, hash));
      if (mismatch === undefined) {
        for (const [index, { hash }] of ranges.entries()) cache?.write(hash, rangeBytes[index] ?? bytes);
        return rangeBytes;
      }
      fault = `sent data of ${mismatch.path} that differs from the published data (wrong checksum)`;
      report({ type: 'notice', text: `${baseUrl} ${fault}.` });
    }
    throw makeRangeGoneFailure(baseUrl, fault);
  }

  async function requestOnce(ranges: readonly RangeRequest[], mustReload: boolean): Promise<Buffer> {
    const [first] = ranges as [RangeRequest];
    const { path, offset, isWholeFile = false } = first;
    const length = ranges.reduce((sum, range) => sum + range.length, 0);
    const rangeOption = isWholeFile ? {} : { range: { offset, length } };
    const { status, body } = await setup.requests.get({ path, ...rangeOption, mustReload, maxBytes: length });
    if (status === 404 || status === 410) throw makeRangeGoneFailure(baseUrl, `has no ${path} (status ${status})`);
    if (status === 416) throw makeRangeGoneFailure(baseUrl, `has a file ${path} that is shorter than published`);
    if (status === 200 && !isWholeFile) {
      const fault = `the host answered a request for ${length} bytes of ${path} with the whole file`;
      throw makeHostFailure(baseUrl, `does not serve ranges: ${fault}`);
    }
    if (status !== 200 && status !== 206) throw makeHostFailure(baseUrl, `answered ${status} to a request for ${path}`);
    if (body.length !== length)
      throw makeRangeGoneFailure(baseUrl, `has a file ${path} of ${body.length} bytes instead of ${length}`);
    return body;
  }

  const readRange = (range: RangeRequest) =>
    new Promise<Uint8Array>((resolve) => {
      if (batch.length === 0) queueMicrotask(flush);
      batch.push({ range, settle: resolve });
    });
  return (ranges) => Promise.all(ranges.map(readRange));
}

/** Groups missing ranges into runs of adjacent ranges of one file. */
const groupAdjacentRanges = <T extends { readonly range: RangeRequest }>(missing: readonly T[]): T[][] =>
  divideIntoRuns(missing, ({ range }, { range: last }, run) => {
    const isAdjacent = last.path === range.path && last.offset + last.length === range.offset;
    return isAdjacent && range.offset + range.length - run[0].range.offset <= MAX_REQUEST_BYTES;
  });

const makeRangeGoneFailure = (baseUrl: string, fault: string): RangeGoneError =>
  new RangeGoneError('data', `${baseUrl} ${fault}.`, {
    hint: 'The published release is incomplete or was changed: tell its publisher, or try again later.',
  });
