/** The response to one request: from the cache while valid, otherwise from the service with a conditional request. */
import { Failure, isFailure } from '../../contract/failure.ts';
import type { MissingTexts } from '../../contract/text/missing-text.ts';
import type { AttributionMemory } from '../attribution.ts';
import { attributionOf } from '../attribution.ts';
import type { ClientEvent } from '../events.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ClientOptions } from '../options.ts';
import {
  type ClientResponse,
  type Envelope,
  failureOf,
  invalidEnvelope,
  readEnvelope,
  requestIdOf,
  toClientResponse,
} from '../response.ts';
import type { KnownRelease } from './known-release.ts';
import type { CachedResponse, ResponseCache } from './response-cache.ts';
import { decideReuse, isCovered, type Reuse } from './reuse.ts';

export interface CachedExchangeSetup {
  readonly baseUrl: string;
  readonly exchange: Exchange;
  readonly headers: Readonly<Record<string, string>>;
  /** Null without a cache. */
  readonly cache: ResponseCache | null;
  /** Null if cached responses must not be reused on the grounds that the release is unchanged. */
  readonly release: KnownRelease | null;
  readonly attributions: AttributionMemory;
  readonly options: ClientOptions;
  readonly report: (event: ClientEvent) => void;
}

export interface RequestPlan {
  /** `release`: from the cache, if a request for the release shows that it is unchanged. */
  readonly by: 'cache' | 'release' | 'network';
  /** The cached response, valid or not, or null. */
  readonly envelope: Envelope | null;
}

export interface GetOptions {
  /** Returns a response even if it is invalid; such a response is not cached. */
  readonly raw?: boolean;
}

/** Throws a Failure for every status but 200, and for a response that violates the interface. */
export type GetResponse = (target: string, options?: GetOptions) => Promise<ClientResponse>;

const RELEASE_TARGET = '/v1/release';

export function openCachedExchange(originalSetup: CachedExchangeSetup): GetResponse {
  const setup = { ...originalSetup, report: reportFieldsOnce(originalSetup.report) };
  const { baseUrl, cache, options, report } = setup;
  let releaseCheck: Promise<void> | null = null;

  /** Sends one request for the release, shared by all callers that wait for it. */
  const checkRelease = () => {
    releaseCheck ??= sendRequest(setup, RELEASE_TARGET, readEntry(cache, RELEASE_TARGET), { raw: true })
      .then(() => {}, ignoreServiceFault)
      .finally(() => {
        releaseCheck = null;
      });
    return releaseCheck;
  };

  return async (target, getOptions = {}) => {
    const entry = readEntry(cache, target);
    if (entry === null) {
      if (options.offline) throw notCached(target);
      return sendRequest(setup, target, null, getOptions);
    }
    let reuse = reuseOf(setup, target, entry);
    if ('ask' in reuse && reuse.ask === 'release') {
      await checkRelease();
      reuse = reuseOf(setup, target, entry);
    }
    if ('ask' in reuse) return sendRequest(setup, target, entry, getOptions);
    const { confirmedMs, text } = entry.cached;
    const age = Math.max(0, Date.now() - confirmedMs);
    cache?.confirm(target, confirmedMs);
    await fillTexts(entry, target, report);
    report({ type: 'cached', url: baseUrl + target, age, why: reuse.use });
    return toClientResponse(entry.envelope, text, 'cache', age);
  };
}

/** Returns what a request would do now. Sends nothing, and does not mark a cached response as used. */
export function planRequest(setup: CachedExchangeSetup, target: string): RequestPlan {
  const entry = readEntry(setup.cache, target);
  if (entry === null) return { by: 'network', envelope: null };
  const reuse = reuseOf(setup, target, entry);
  return { by: 'use' in reuse ? 'cache' : reuse.ask === 'release' ? 'release' : 'network', envelope: entry.envelope };
}

interface CacheEntry {
  readonly cached: CachedResponse;
  readonly envelope: Envelope;
}

/** Cached responses were validated before they were stored; an unreadable one is a miss. */
function readEntry(cache: ResponseCache | null, target: string): CacheEntry | null {
  const cached = cache?.read(target) ?? null;
  if (cached === null) return null;
  try {
    return { cached, envelope: readEnvelope({ status: 200, headers: {}, body: cached.text }, target, '') };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return null;
  }
}

function reuseOf({ options, release }: CachedExchangeSetup, target: string, { cached }: CacheEntry): Reuse {
  const covered = release !== null && isCovered(target);
  return decideReuse({ ...options, cached, covered, release: release?.read() ?? null, now: Date.now() });
}

async function sendRequest(
  setup: CachedExchangeSetup,
  target: string,
  entry: CacheEntry | null,
  { raw = false }: GetOptions,
): Promise<ClientResponse> {
  const { exchange, cache, release, attributions, baseUrl, report } = setup;
  const origin = new URL(baseUrl).origin;
  const conditionalHeaders = entry === null ? {} : { 'if-none-match': entry.cached.etag };
  // Cached responses need no validation. Imported on demand, because V8 would reject the cached code if this came
  // before the network code.
  const { validateResponse } = await import('../../contract/resources/validate-response.ts');
  const { answer, sent } = await exchange(target, { ...setup.headers, ...conditionalHeaders });
  if (answer.status === 304) {
    if (entry === null) throw failureOf(answer, origin);
    cache?.confirm(target, sent);
    // A 304 names no release, except the response for the release itself: its cached stamp is current.
    if (target === RELEASE_TARGET) release?.learn(entry.cached.stamp, sent);
    await fillTexts(entry, target, report);
    return toClientResponse(entry.envelope, entry.cached.text, 'revalidated', 0);
  }
  const envelope = readEnvelope(answer, target, origin);
  const missingTexts: MissingTexts = new Map();
  const invalid = invalidEnvelope(target, envelope, origin, validateResponse, missingTexts);
  if (invalid !== null && !raw) throw invalid;
  const isIncomplete = missingTexts.size > 0;
  if (isIncomplete && !raw) report({ type: 'incomplete', missing: [...missingTexts] });
  const stamp = stampOf(envelope);
  const { etag } = answer.headers;
  release?.learn(stamp, sent);
  if (etag !== undefined && invalid === null) {
    const requestId = requestIdOf(envelope);
    cache?.write(target, { etag, stamp, requestId, incomplete: isIncomplete, text: answer.body, confirmedMs: sent });
  }
  const attribution = attributionOf(envelope.meta);
  if (attribution !== null) attributions.keep(attribution);
  return toClientResponse(envelope, answer.body, 'network', 0);
}

/** Replaces texts that the service left out of a cached response by MISSING_TEXT, and reports them again. */
async function fillTexts({ cached, envelope }: CacheEntry, target: string, report: CachedExchangeSetup['report']) {
  if (!cached.incomplete) return;
  const { validateResponse } = await import('../../contract/resources/validate-response.ts');
  const missingTexts: MissingTexts = new Map();
  invalidEnvelope(target, envelope, '', validateResponse, missingTexts);
  report({ type: 'incomplete', missing: [...missingTexts] });
}

/** Reports each incomplete field only once. */
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
 * Ignores failures of the service, which may fail for the release and still answer questions; failures of the account
 * or the network affect all requests.
 */
function ignoreServiceFault(error: unknown): void {
  if (!isFailure(error) || (error.kind !== 'service' && error.kind !== 'not_found')) throw error;
}

function notCached(target: string): Failure {
  return new Failure('network', `${target} is not cached, and --offline sends no request.`, {
    hint: 'Run the command once without --offline; the response is then cached.',
  });
}

/** Returns the stamp of the release that a response names, or null. */
function stampOf({ meta: { release } }: Envelope): string | null {
  if (typeof release !== 'object' || release === null || !('stamp' in release)) return null;
  return typeof release.stamp === 'string' ? release.stamp : null;
}
