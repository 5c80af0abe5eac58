/** One question to a service: the held answer if it is good, else asked for, with what is held as condition. */
import { Failure, isFailure } from '../../contract/failure.ts';
import type { AttributionMemory } from '../attribution.ts';
import { attributionOf } from '../attribution.ts';
import type { ClientEvent } from '../events.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ClientOptions } from '../options.ts';
import type { ClientResponse, Envelope } from '../response.ts';
import { failureOf, readEnvelope, requestIdOf, toClientResponse } from '../response.ts';
import type { KnownRelease } from './known-release.ts';
import type { CachedResponse, ResponseCache } from './response-cache.ts';
import { decideReuse, isCovered } from './reuse.ts';

export interface CachedExchangeSetup {
  readonly baseUrl: string;
  readonly exchange: Exchange;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where nothing is held. */
  readonly held: ResponseCache | null;
  /** Null where a held answer is never used unasked on a release's word. */
  readonly release: KnownRelease | null;
  readonly attributions: AttributionMemory;
  readonly options: ClientOptions;
  readonly report: (event: ClientEvent) => void;
}

export interface RequestPlan {
  /** `release`: from the cache, if one request for the release shows that it still stands. */
  readonly by: 'cache' | 'release' | 'network';
  /** What is cached of the response, valid or not, or null. */
  readonly envelope: Envelope | null;
}

export type GetResponse = (target: string) => Promise<ClientResponse>;

const RELEASE_TARGET = '/v1/release';

export function openCachedExchange(setup: CachedExchangeSetup): GetResponse {
  const { baseUrl, held, release, options, report } = setup;
  let checking: Promise<void> | null = null;

  /** One question after the release, for all that wait for it. */
  const checkRelease = () => {
    checking ??= send(setup, RELEASE_TARGET, read(held, RELEASE_TARGET))
      .then(() => {}, passOver)
      .finally(() => {
        checking = null;
      });
    return checking;
  };

  return async (target) => {
    const own = read(held, target);
    if (own === null) {
      if (options.offline) throw notHeld(target);
      return send(setup, target, null);
    }
    const decide = () =>
      decideReuse({
        ...options,
        held: own.held,
        covered: release !== null && isCovered(target),
        release: release?.read() ?? null,
        now: Date.now(),
      });
    let reuse = decide();
    if ('ask' in reuse && reuse.ask === 'release') {
      await checkRelease();
      reuse = decide();
    }
    if ('ask' in reuse) return send(setup, target, own);
    const { confirmed, text } = own.held;
    const age = Math.max(0, Date.now() - confirmed);
    held?.confirm(target, confirmed);
    report({ type: 'cached', url: baseUrl + target, age, why: reuse.use });
    return toClientResponse(own.envelope, text, 'cache', age);
  };
}

/** What would be done with a question now; nothing is asked, and no held answer counts as used. */
export function planRequest({ held, release, options }: CachedExchangeSetup, target: string): RequestPlan {
  const own = read(held, target);
  if (own === null) return { by: 'network', envelope: null };
  const known = {
    held: own.held,
    covered: release !== null && isCovered(target),
    release: release?.read() ?? null,
    now: Date.now(),
  };
  const reuse = decideReuse({ ...options, ...known });
  return { by: 'use' in reuse ? 'cache' : reuse.ask === 'release' ? 'release' : 'network', envelope: own.envelope };
}

interface Own {
  readonly held: CachedResponse;
  readonly envelope: Envelope;
}

function read(held: ResponseCache | null, target: string): Own | null {
  const own = held?.read(target) ?? null;
  if (own === null) return null;
  try {
    return { held: own, envelope: readEnvelope({ status: 200, headers: {}, body: own.text }, '') };
  } catch {
    return null;
  }
}

async function send(setup: CachedExchangeSetup, target: string, own: Own | null): Promise<ClientResponse> {
  const { exchange, held, release, attributions, baseUrl } = setup;
  const from = new URL(baseUrl).origin;
  const condition = own === null ? {} : { 'if-none-match': own.held.etag };
  const { answer, sent } = await exchange(target, { ...setup.headers, ...condition });
  if (answer.status === 304) {
    if (own === null) throw failureOf(answer, from);
    held?.confirm(target, sent);
    // A 304 names no release, but that of the release itself: its stamp is what was held.
    if (target === RELEASE_TARGET) release?.learn(own.held.stamp, sent);
    return toClientResponse(own.envelope, own.held.text, 'revalidated', 0);
  }
  const envelope = readEnvelope(answer, from);
  const stamp = stampOf(envelope);
  const { etag } = answer.headers;
  release?.learn(stamp, sent);
  if (etag !== undefined) {
    held?.write(target, { etag, stamp, requestId: requestIdOf(envelope), text: answer.body, confirmed: sent });
  }
  const attribution = attributionOf(envelope.meta);
  if (attribution !== null) attributions.keep(attribution);
  return toClientResponse(envelope, answer.body, 'network', 0);
}

/** A service may fail to name its release and still answer; what concerns the account or the way to it is for all. */
function passOver(error: unknown): void {
  if (!isFailure(error) || (error.kind !== 'service' && error.kind !== 'not_found')) throw error;
}

function notHeld(target: string): Failure {
  return new Failure('network', `No answer to ${target} is held, and --offline asks for none.`, {
    hint: 'Ask once without --offline; the answer is then held.',
  });
}

/** Stamp of the release that an answer names, or null where it names none. */
function stampOf({ meta: { release } }: Envelope): string | null {
  if (typeof release !== 'object' || release === null || !('stamp' in release)) return null;
  return typeof release.stamp === 'string' ? release.stamp : null;
}
