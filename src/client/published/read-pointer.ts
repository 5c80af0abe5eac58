/**
 * Reads the pointer of a static host: a small file that names the host's latest release. Without `--fresh`, a cached
 * pointer is used for a minute, or for a longer `--max-age`; then it is confirmed by a conditional request.
 */

import { RELEASE_TTL_MS } from '../cache/reuse.ts';
import type { ClientContext, ClientOptions } from '../request/client-options.ts';
import { makeNotCachedFailure } from '../request/request.ts';
import { type FileRequester, type FileResponse, makeHostFailure } from './file-requests.ts';
import { type KnownPointer, readKnownPointer, storePointer } from './known-pointer.ts';
import { runSingleFlight } from './single-flight.ts';

interface PointerSetup extends Pick<ClientContext, 'baseUrl' | 'options' | 'report'> {
  /** Name of the pointer file below the base URL. */
  readonly name: string;
  /** Maximum size of the pointer file in bytes. */
  readonly maxBytes: number;
  readonly requests: FileRequester;
  /** Path of the cached pointer; null if caching is disabled. */
  readonly file: string | null;
  /** Throws for an invalid pointer, which is then not cached. `previousText` is the cached pointer, or null. */
  readonly check: (text: string, previousText: string | null) => void;
  /** Returns whether a cached pointer may be used. */
  readonly isAccepted: (text: string) => boolean;
}

/** Maximum time in milliseconds to wait while another process loads the pointer. */
const MAX_WAIT_MS = 30_000;

/**
 * Returns the pointer's text, or the host's response if the host has no pointer. Throws the error of `check`, and a
 * Failure if the host is unreachable, or if `--offline` is set and the pointer is not cached.
 * @param mustAsk whether to request the pointer even if it was confirmed just now
 */
export async function readPointer(setup: PointerSetup, mustAsk = setup.options.fresh): Promise<string | FileResponse> {
  const { file, options, report, baseUrl, name } = setup;
  const start = Date.now();
  const readAcceptedPointer = () => {
    const cached = readKnownPointer(file);
    return cached?.text == null || !setup.isAccepted(cached.text) ? null : { ...cached, text: cached.text };
  };
  const readTrustedPointer = () => {
    const cached = readAcceptedPointer();
    return cached !== null && isPointerTrusted(cached, options, mustAsk, start) ? cached : null;
  };
  const trustedPointer = readTrustedPointer();
  if (trustedPointer !== null) {
    const reuse = options.offline ? 'offline' : 'release';
    report({ type: 'cached', url: `${baseUrl}/${name}`, age: Math.max(0, Date.now() - trustedPointer.at), why: reuse });
    return trustedPointer.text;
  }
  if (options.offline) throw makeNotCachedFailure(`${baseUrl}/${name}`);
  const request = () => requestPointer(setup, readAcceptedPointer());
  const wait = { longestWait: MAX_WAIT_MS, signal: options.signal };
  const result = await runSingleFlight<KnownPointer | FileResponse>(file, readTrustedPointer, request, wait);
  return 'status' in result ? result : (result.text ?? '');
}

async function requestPointer(setup: PointerSetup, cached: KnownPointer | null): Promise<KnownPointer | FileResponse> {
  const { requests, name, maxBytes, file, baseUrl, check } = setup;
  const sentMs = Date.now();
  const response = await requests.get({ path: name, etag: cached?.etag ?? null, maxBytes });
  if (response.status === 304) {
    if (cached === null)
      throw makeHostFailure(baseUrl, `answered 304 (not modified) to a request for the whole ${name}`);
    return storePointer(file, { ...cached, at: sentMs });
  }
  if (response.status !== 200) return response;
  const text = response.body.toString('utf8');
  check(text, cached?.text ?? null);
  return storePointer(file, { text, etag: response.headers.etag ?? null, at: sentMs });
}

/**
 * Whether the cached pointer may be used without a request.
 * @param start epoch ms; a pointer confirmed since then is fresh
 */
export function isPointerTrusted({ at }: KnownPointer, options: ClientOptions, mustAsk: boolean, start = Date.now()) {
  const { offline, maxAge } = options;
  const age = Date.now() - at;
  if (offline || (age >= 0 && at >= start)) return true;
  return !mustAsk && age >= 0 && age < Math.max(RELEASE_TTL_MS, maxAge ?? 0);
}
