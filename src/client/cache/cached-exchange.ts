/**
 * Returns the response to a request: from the cache while valid, otherwise from the service by a conditional request.
 */

import { isFailure } from '../../contract/failure.ts';
import type { MissingTextCounts } from '../../contract/text/missing-text.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ClientEvent } from '../request/events.ts';
import type { ClientOptions } from '../request/options.ts';
import { makeNotCachedFailure } from '../request/request.ts';
import {
  type ClientResponse,
  type Envelope,
  findEnvelopeFailure,
  makeResponseFailure,
  readEnvelope,
  readRequestId,
  toClientResponse,
} from '../request/response.ts';
import type { TransportResponse } from '../request/transport.ts';
import type { AttributionStore } from './attribution.ts';
import { readAttribution } from './attribution.ts';
import type { KnownReleaseStore } from './known-release.ts';
import type { CachedResponse, ResponseCache } from './response-files.ts';
import { decideReuse, isValidUntilNextRelease, type ReuseDecision } from './reuse.ts';

export interface CachedExchangeSetup {
  readonly baseUrl: string;
  readonly exchange: Exchange;
  readonly headers: Readonly<Record<string, string>>;
  /** The response cache; null if caching is disabled. */
  readonly cache: ResponseCache | null;
  /** The last known release. If null, every cached response is revalidated. */
  readonly release: KnownReleaseStore | null;
  readonly attributions: AttributionStore;
  readonly options: ClientOptions;
  readonly report: (event: ClientEvent) => void;
}

export interface RequestPlan {
  /**
   * How the response would be obtained. `release`: from the cache, if a request shows that the release is unchanged.
   */
  readonly by: 'cache' | 'release' | 'network';
  /** The cached response even if it is stale; null if no response is cached. */
  readonly envelope: Envelope | null;
}

export interface GetOptions {
  /** Whether to return a response even if it is invalid; an invalid response is never cached. */
  readonly acceptsInvalid?: boolean;
}

/**
 * Returns the response to a request. Throws a Failure for every status except 200, and for a response that violates the
 * HTTP API.
 */
export type GetResponse = (target: string, options?: GetOptions) => Promise<ClientResponse>;

const RELEASE_TARGET = '/v1/release';

export function openCachedExchange(originalSetup: CachedExchangeSetup): GetResponse {
  const setup = { ...originalSetup, report: reportFieldsOnce(originalSetup.report) };
  const { baseUrl, cache, options, report } = setup;
  let releaseCheckPromise: Promise<void> | null = null;

  /** Requests the release; concurrent callers share one request. */
  const requestRelease = () => {
    releaseCheckPromise ??= sendRequest(setup, RELEASE_TARGET, readEntry(cache, RELEASE_TARGET), {
      acceptsInvalid: true,
    })
      .then(() => {}, ignoreServiceFault)
      .finally(() => {
        releaseCheckPromise = null;
      });
    return releaseCheckPromise;
  };

  return async (target, getOptions = {}) => {
    const cacheEntry = readEntry(cache, target);
    if (cacheEntry === null) {
      if (options.offline) throw makeNotCachedFailure(target);
      return sendRequest(setup, target, null, getOptions);
    }
    let reuseDecision = evaluateReuse(setup, target, cacheEntry);
    if ('ask' in reuseDecision && reuseDecision.ask === 'release') {
      await requestRelease();
      reuseDecision = evaluateReuse(setup, target, cacheEntry);
    }
    if ('ask' in reuseDecision) return sendRequest(setup, target, cacheEntry, getOptions);
    const { confirmedMs, text } = cacheEntry.cached;
    const ageMs = Math.max(0, Date.now() - confirmedMs);
    cache?.confirm(target, confirmedMs);
    await fillMissingTexts(cacheEntry, target, report);
    report({ type: 'cached', url: baseUrl + target, age: ageMs, why: reuseDecision.use });
    return toClientResponse(cacheEntry.envelope, text, 'cache', ageMs);
  };
}

/** Returns how a request would be answered now. Sends nothing, and does not update a cached response's time of use. */
export function planRequest(setup: CachedExchangeSetup, target: string): RequestPlan {
  const cacheEntry = readEntry(setup.cache, target);
  if (cacheEntry === null) return { by: 'network', envelope: null };
  const plannedReuse = evaluateReuse(setup, target, cacheEntry);
  return {
    by: 'use' in plannedReuse ? 'cache' : plannedReuse.ask === 'release' ? 'release' : 'network',
    envelope: cacheEntry.envelope,
  };
}

interface CacheEntry {
  readonly cached: CachedResponse;
  readonly envelope: Envelope;
}

/** Reads a cached response, which was validated before it was stored. An unreadable entry counts as missing. */
function readEntry(cache: ResponseCache | null, target: string): CacheEntry | null {
  const cachedResponse = cache?.read(target) ?? null;
  if (cachedResponse === null) return null;
  try {
    return {
      cached: cachedResponse,
      envelope: readEnvelope({ status: 200, headers: {}, body: cachedResponse.text }, target, ''),
    };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return null;
  }
}

function evaluateReuse(
  { options, release }: CachedExchangeSetup,
  target: string,
  { cached }: CacheEntry,
): ReuseDecision {
  const isCoveredByRelease = release !== null && isValidUntilNextRelease(target);
  return decideReuse({
    ...options,
    cached,
    isReusableForRelease: isCoveredByRelease,
    release: release?.read() ?? null,
    now: Date.now(),
  });
}

async function sendRequest(
  setup: CachedExchangeSetup,
  target: string,
  cacheEntry: CacheEntry | null,
  { acceptsInvalid = false }: GetOptions,
): Promise<ClientResponse> {
  const { exchange, cache, release, attributions, baseUrl, report } = setup;
  const origin = new URL(baseUrl).origin;
  const conditionalHeaders = cacheEntry === null ? {} : { 'if-none-match': cacheEntry.cached.etag };
  // Loaded on demand, because cached responses need no validation.
  const { validateResponse } = await import('../../contract/validate-response.ts');
  const { answer, sent: sentMs } = await exchange(target, { ...setup.headers, ...conditionalHeaders });
  if (answer.status === 304) {
    if (cacheEntry === null) throw makeResponseFailure(answer, origin);
    cache?.confirm(target, sentMs);
    // A 304 for the release confirms the cached stamp. A 304 for any other resource says nothing about the release.
    if (target === RELEASE_TARGET) release?.record(cacheEntry.cached.stamp, sentMs);
    await fillMissingTexts(cacheEntry, target, report);
    return toClientResponse(cacheEntry.envelope, cacheEntry.cached.text, 'revalidated', 0);
  }
  const envelope = readEnvelope(answer, target, origin);
  const missingTexts: MissingTextCounts = new Map();
  const violationFailure = findEnvelopeFailure(target, envelope, origin, validateResponse, missingTexts);
  if (violationFailure !== null && !acceptsInvalid) throw violationFailure;
  const isIncomplete = missingTexts.size > 0;
  if (isIncomplete && !acceptsInvalid) report({ type: 'incomplete', missing: [...missingTexts] });
  if (!containsApiKey(setup, answer, envelope)) {
    const stamp = readStamp(envelope);
    release?.record(stamp, sentMs);
    const { body: text, headers } = answer;
    const { etag } = headers;
    if (etag !== undefined && violationFailure === null) {
      const requestId = readRequestId(envelope);
      cache?.write(target, { etag, stamp, requestId, incomplete: isIncomplete, text, confirmedMs: sentMs });
    }
    const attribution = readAttribution(envelope.meta);
    if (attribution !== null) attributions.store(attribution);
  }
  return toClientResponse(envelope, answer.body, 'network', 0);
}

/** Whether a response repeats the API key of its request. Such a response must not be stored. */
function containsApiKey(
  { headers: { authorization = '' } }: Pick<CachedExchangeSetup, 'headers'>,
  { body, headers: { etag = '' } }: TransportResponse,
  { meta }: Envelope,
): boolean {
  const apiKey = authorization.replace(/^Bearer /, '');
  return apiKey !== '' && [body, etag, JSON.stringify(meta)].some((text) => text.includes(apiKey));
}

/** Replaces missing texts of a cached response by a dash (MISSING_TEXT_PLACEHOLDER), and reports their fields. */
async function fillMissingTexts(
  { cached, envelope }: CacheEntry,
  target: string,
  report: CachedExchangeSetup['report'],
) {
  if (!cached.incomplete) return;
  const { validateResponse } = await import('../../contract/validate-response.ts');
  const missingTexts: MissingTextCounts = new Map();
  findEnvelopeFailure(target, envelope, '', validateResponse, missingTexts);
  report({ type: 'incomplete', missing: [...missingTexts] });
}

/** Returns a function that reports each incomplete field only once. */
function reportFieldsOnce(report: CachedExchangeSetup['report']): CachedExchangeSetup['report'] {
  const reportedFields = new Set<string>();
  return (event) => {
    if (event.type !== 'incomplete') return report(event);
    const newFields = event.missing.filter(([path]) => !reportedFields.has(path));
    for (const [path] of newFields) reportedFields.add(path);
    if (newFields.length > 0) report({ ...event, missing: newFields });
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
