/**
 * Returns the response to a request: from the cache while valid, otherwise from the service by a conditional request.
 */

import { isFailure, nullIfFailure } from '../../contract/failure.ts';
import type { MissingTextCounts } from '../../contract/text/missing-text.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ClientContext } from '../request/client-options.ts';
import { makeNotCachedFailure } from '../request/request.ts';
import type { ClientResponse, Envelope, TransportResponse } from '../request/response.ts';
import { findEnvelopeFailure, makeResponseFailure, readEnvelope, toClientResponse } from '../request/response.ts';
import type { CachedResponse, ResponseCache } from './response-files.ts';
import { decideReuse, isValidUntilNextRelease, type ReuseDecision } from './reuse.ts';
import { type AttributionStore, type KnownReleaseStore, readAttribution } from './service-records.ts';

export interface CacheSetup extends Pick<ClientContext, 'baseUrl' | 'options' | 'report'> {
  readonly exchange: Exchange;
  readonly headers: Readonly<Record<string, string>>;
  /** The response cache; null if caching is disabled. */
  readonly cache: ResponseCache | null;
  /** The last known release. If null, every cached response is revalidated. */
  readonly release: KnownReleaseStore | null;
  readonly attributions: AttributionStore;
}

export interface RequestPlan {
  /**
   * The way to obtain the response. `release`: from the cache, if a request shows that the release is unchanged.
   */
  readonly by: 'cache' | 'release' | 'network';
  /** The cached response even if it is stale; null if no response is cached. */
  readonly envelope: Envelope | null;
}

/** `acceptsInvalid`: whether to return a response even if it is invalid; an invalid response is never cached. */
type GetOptions = { readonly acceptsInvalid?: boolean };

/**
 * Returns the response to a request. Throws a Failure for every status except 200, and for a response that violates the
 * HTTP API.
 */
export type GetResponse = (target: string, options?: GetOptions) => Promise<ClientResponse>;

const RELEASE_TARGET = '/v1/release';

export function openCachedExchange(original: CacheSetup): GetResponse {
  const setup = { ...original, report: reportFieldsOnce(original.report) };
  const { baseUrl, cache, options, report } = setup;
  let releaseCheck: Promise<void> | null = null;

  /** Requests the release; concurrent callers share one request. */
  const requestRelease = () => {
    releaseCheck ??= sendRequest(setup, RELEASE_TARGET, readEntry(cache, RELEASE_TARGET), { acceptsInvalid: true })
      .then(() => {}, ignoreServiceFault)
      .finally(() => {
        releaseCheck = null;
      });
    return releaseCheck;
  };

  return async (target, getOptions = {}) => {
    const entry = readEntry(cache, target);
    if (entry === null) {
      if (options.offline) throw makeNotCachedFailure(target);
      return sendRequest(setup, target, null, getOptions);
    }
    let decision = evaluateReuse(setup, target, entry);
    if ('ask' in decision && decision.ask === 'release') {
      await requestRelease();
      decision = evaluateReuse(setup, target, entry);
    }
    if ('ask' in decision) return sendRequest(setup, target, entry, getOptions);
    const { confirmedMs, text } = entry.cached;
    const ageMs = Math.max(0, Date.now() - confirmedMs);
    cache?.confirm(target, confirmedMs);
    await fillMissingTexts(entry, target, report);
    report({ type: 'cached', url: baseUrl + target, age: ageMs, why: decision.use });
    return toClientResponse(entry.envelope, text, 'cache', ageMs);
  };
}

/** Returns how a request would be answered now. Sends nothing, and does not update a cached response's time of use. */
export function planRequest(setup: CacheSetup, target: string): RequestPlan {
  const entry = readEntry(setup.cache, target);
  if (entry === null) return { by: 'network', envelope: null };
  const plan = evaluateReuse(setup, target, entry);
  return { by: 'use' in plan ? 'cache' : plan.ask === 'release' ? 'release' : 'network', envelope: entry.envelope };
}

type CacheEntry = { readonly cached: CachedResponse; readonly envelope: Envelope };

/** Reads a cached response, which was validated before it was stored. An unreadable entry counts as missing. */
function readEntry(cache: ResponseCache | null, target: string): CacheEntry | null {
  const cached = cache?.read(target) ?? null;
  if (cached === null) return null;
  try {
    return { cached, envelope: readEnvelope({ status: 200, headers: {}, body: cached.text }, target, '') };
  } catch (error) {
    return nullIfFailure(error);
  }
}

function evaluateReuse({ options, release }: CacheSetup, target: string, { cached }: CacheEntry): ReuseDecision {
  const isReusable = release !== null && isValidUntilNextRelease(target);
  const identity = release?.read() ?? null;
  return decideReuse({ ...options, cached, isReusable, release: identity, now: Date.now() });
}

async function sendRequest(setup: CacheSetup, target: string, entry: CacheEntry | null, getOptions: GetOptions) {
  const { acceptsInvalid = false } = getOptions;
  const { exchange, cache, release, attributions, baseUrl, report } = setup;
  const origin = new URL(baseUrl).origin;
  const conditionalHeaders = entry === null ? {} : { 'if-none-match': entry.cached.etag };
  // Loaded on demand, because cached responses need no validation.
  const { validateResponse } = await import('../../contract/validate-response.ts');
  const { answer, sent: sentMs } = await exchange(target, { ...setup.headers, ...conditionalHeaders });
  if (answer.status === 304) {
    if (entry === null) throw makeResponseFailure(answer, origin);
    cache?.confirm(target, sentMs);
    // A 304 for the release confirms the cached stamp. A 304 for any other resource says nothing about the release.
    if (target === RELEASE_TARGET) release?.record(entry.cached.stamp, sentMs);
    await fillMissingTexts(entry, target, report);
    return toClientResponse(entry.envelope, entry.cached.text, 'revalidated', 0);
  }
  const envelope = readEnvelope(answer, target, origin);
  const missing: MissingTextCounts = new Map();
  const failure = findEnvelopeFailure(target, envelope, origin, validateResponse, missing);
  if (failure !== null && !acceptsInvalid) throw failure;
  const response = toClientResponse(envelope, answer.body, 'network', 0);
  const incomplete = missing.size > 0;
  if (incomplete && !acceptsInvalid) report({ type: 'incomplete', missing: [...missing] });
  if (!containsApiKey(setup, answer, envelope)) {
    const stamp = readStamp(envelope);
    release?.record(stamp, sentMs);
    const { etag } = answer.headers;
    const { requestId, text } = response;
    if (etag !== undefined && failure === null)
      cache?.write(target, { etag, stamp, requestId, incomplete, text, confirmedMs: sentMs });
    const attribution = readAttribution(envelope.meta);
    if (attribution !== null) attributions.store(attribution);
  }
  return response;
}

/** Whether a response repeats the API key of its request. Such a response must not be stored. */
function containsApiKey(setup: CacheSetup, { body, headers }: TransportResponse, { meta }: Envelope): boolean {
  const apiKey = (setup.headers.authorization ?? '').replace(/^Bearer /, '');
  return apiKey !== '' && [body, headers.etag ?? '', JSON.stringify(meta)].some((text) => text.includes(apiKey));
}

/** Replaces missing texts of a cached response by a dash (MISSING_TEXT_PLACEHOLDER), and reports their fields. */
async function fillMissingTexts({ cached, envelope }: CacheEntry, target: string, report: CacheSetup['report']) {
  if (!cached.incomplete) return;
  const { validateResponse } = await import('../../contract/validate-response.ts');
  const missing: MissingTextCounts = new Map();
  findEnvelopeFailure(target, envelope, '', validateResponse, missing);
  report({ type: 'incomplete', missing: [...missing] });
}

/** Returns a function that reports each incomplete field only once. */
function reportFieldsOnce(report: CacheSetup['report']): CacheSetup['report'] {
  const reported = new Set<string>();
  return (event) => {
    if (event.type !== 'incomplete') return report(event);
    const fields = event.missing.filter(([path]) => !reported.has(path));
    for (const [path] of fields) reported.add(path);
    if (fields.length > 0) report({ ...event, missing: fields });
  };
}

/**
 * Ignores errors of the service in the check of the release, because requests for other paths may succeed. Throws
 * errors of the account or the network, which affect all requests.
 */
function ignoreServiceFault(error: unknown): void {
  if (!isFailure(error) || (error.kind !== 'service' && error.kind !== 'not_found')) throw error;
}

/** Returns the release stamp in a response's meta; null if it has none. */
function readStamp({ meta: { release } }: Envelope): string | null {
  if (typeof release !== 'object' || release === null || !('stamp' in release)) return null;
  return typeof release.stamp === 'string' ? release.stamp : null;
}
