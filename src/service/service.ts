/**
 * The service as plain functions: one request in, one answer out, over a release. No socket, no key, no limit;
 * `fin serve` puts those around it, and `local:` calls it directly.
 */
import { type ProblemCode, problemDocument } from '../contract/problems.ts';
import type { Meta } from '../contract/resources/envelope.ts';
import type { ReleaseReader } from '../release/store/reader.ts';
import { DEADLINE, withDeadline } from './deadline.ts';
import { entityTag, matchesTag } from './entity-tag.ts';
import { HANDLERS } from './handlers/index.ts';
import { interruptible } from './interruptible-release.ts';
import { metaOf } from './meta.ts';
import { ProblemError } from './problem-error.ts';
import { requestIdOf } from './request-id.ts';
import { createResponseCache, type ResponseCache, type SealedResponse } from './response-cache.ts';
import { type Routed, route } from './route.ts';
import type { Service, ServiceRequest, ServiceResponse } from './types.ts';

export interface ServiceOptions {
  /** The release to answer from, asked for with every request; null before the first. */
  readonly release: () => Promise<ReleaseReader | null>;
  /** Where the addresses of problem types begin, without a slash at the end. */
  readonly baseUrl: string;
  /** Longest time for one answer, after which it is a 504 and its reads are stopped. */
  readonly deadlineMs?: number;
  /** Bytes of answers to keep for being asked again; none by default. */
  readonly cacheBytes?: number;
  /** Whether answers carry entity tags, as they do by default; to make them takes node:crypto. */
  readonly entityTags?: boolean;
  /** Told of every error before it becomes a 500; what it throws is thrown on instead. */
  readonly onDefect?: (error: unknown, requestId: string) => void;
}

const DEADLINE_MS = 10_000;

export function createService(options: ServiceOptions): Service {
  const { baseUrl, deadlineMs = DEADLINE_MS, cacheBytes = 0, entityTags = true } = options;
  const caches = new WeakMap<ReleaseReader, ResponseCache>();

  async function answer(
    request: ServiceRequest,
    requestId = requestIdOf(request.headers['x-request-id']),
  ): Promise<ServiceResponse> {
    try {
      const { tag, head } = await find(request);
      if (tag !== null && matchesTag(request.headers['if-none-match'], tag)) return notModified(tag, requestId);
      return ok(tag, [head, `${requestId}"}}`], requestId);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null && request.signal?.aborted !== true) options.onDefect?.(error, requestId);
      return problemResponse(refusal ?? DEFECT, { requestId, baseUrl });
    }
  }

  /** The answer to a question asked before, or else the one that is now read. */
  async function find(request: ServiceRequest): Promise<SealedResponse> {
    // Only what was right is kept, so a kept answer needs no second check; but it was asked with GET.
    const release = await options.release();
    const cache = release === null ? undefined : cacheOf(release);
    const held = request.method === 'GET' ? cache?.get(request.target) : undefined;
    if (held !== undefined) return held;
    const routed = route(request.method, request.target);
    if (release === null)
      throw new ProblemError('unavailable', 'There is no release yet: ask again once one is published.');
    const made = await withDeadline(deadlineMs, request.signal, (signal) => read(release, routed, signal));
    return cache === undefined ? made : cache.keep(request.target, made);
  }

  async function read(whole: ReleaseReader, { operation, parameters }: Routed, signal: AbortSignal) {
    const release = interruptible(whole, signal);
    const found = await HANDLERS[operation.id]({ release, parameters, signal });
    signal.throwIfAborted();
    return seal(found.data, metaOf(operation, release.manifest, parameters, found.meta ?? {}), entityTags);
  }

  function cacheOf(release: ReleaseReader): ResponseCache | undefined {
    if (cacheBytes === 0) return undefined;
    const cache = caches.get(release) ?? createResponseCache(cacheBytes);
    caches.set(release, cache);
    return cache;
  }

  return { respond: answer };
}

/** The entity tag, and the body up to its request id: the one thing that differs between two equal answers. */
function seal(data: unknown, meta: Omit<Meta, 'request_id'>, tagged: boolean) {
  const texts = [JSON.stringify(data), JSON.stringify(meta)] as const;
  const head = `{"data":${texts[0]},"meta":${texts[1].slice(0, -1)},"request_id":"`;
  return { tag: tagged ? entityTag(...texts) : null, head };
}

function ok(tag: string | null, body: ServiceResponse['body'], requestId: string): ServiceResponse {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    ...(tag === null ? {} : { etag: tag }),
    'x-request-id': requestId,
  };
  return { status: 200, headers, body };
}

function notModified(tag: string, requestId: string): ServiceResponse {
  return { status: 304, headers: { etag: tag, 'x-request-id': requestId }, body: [] };
}

/** What a caller is told of a defect: nothing but that it is one. */
const DEFECT = new ProblemError(
  'internal_error',
  'The service failed to answer. Ask again later; name the request id.',
);
const TIMEOUT = new ProblemError('timeout', 'The request took too long. Ask again later, or for less at a time.');

function refusalOf(error: unknown): ProblemError | null {
  if (error instanceof ProblemError) return error;
  return error instanceof Error && error.name === DEADLINE ? TIMEOUT : null;
}

/** A problem, ready to be carried. */
export function problemResponse(
  refusal: {
    readonly code: ProblemCode;
    readonly detail: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
  context: Parameters<typeof problemDocument>[2],
): ServiceResponse {
  const document = problemDocument(refusal.code, refusal.detail, context);
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': context.requestId,
    ...refusal.headers,
  };
  return { status: document.status, headers, body: [JSON.stringify(document)] };
}
