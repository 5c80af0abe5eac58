/** The service as one function from request to response. `fin serve` adds keys, limits and connections. */

import { isFailure } from '../../contract/failure.ts';
import { makeProblemDocument } from '../../contract/problems.ts';
import { getOrInsert } from '../../platform/collections.ts';
import type { ReleaseReader } from '../../store/reader.ts';
import { TableFailure } from '../../store/releases/manifest.ts';
import { answerQuestion, type SerializedResponse, serializeAnswer, toBytes } from '../answers/answer-question.ts';
import { isDeadlineError, withDeadline } from '../request/deadline.ts';
import { ProblemError } from '../request/handler.ts';
import { routeRequest } from '../request/route.ts';
import { createWorkSharer, type ShareWork } from '../request/share-work.ts';
import { type AnswerThreads, needsThread, ThreadEndedError } from '../threads/answer-threads.ts';

/** The text of a body, or the reason why it was not read. */
export type BodyReading = { readonly text: string } | { readonly fault: 'too-long' | 'incomplete' };

/** An HTTP request. `target` is path and query as received; the names in `headers` are in lower case. */
export interface ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Id of the request and of its response: the client's, or a new one. */
  readonly id: string;
  /** The address by which the client reaches this service, without a trailing slash: the base of problem types. */
  readonly baseUrl: string;
  /** Reads the body. Only mounted endpoints use the body. */
  readonly body?: (maxBytes: number) => Promise<BodyReading>;
  /**
   * Aborted when the response is no longer needed. Read only if there is work to abort, because the first access
   * creates the signal.
   */
  readonly signal?: AbortSignal;
}

/** A response that is ready to be sent; the names in `headers` are in lower case. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as consecutive parts, text or UTF-8 bytes; empty for a 304. */
  readonly body: readonly (string | Buffer)[];
  /** The account of the request's key; absent if no key was required or accepted. */
  readonly account?: string;
  /** Frees the concurrency slot. Call this once, when the response has been sent or cannot be sent any more. */
  readonly finish?: () => void;
}

/** Returns the response to a request. Errors become problems, so the promise rejects only if `onDefect` throws. */
export type Service = (request: ServiceRequest) => Promise<ServiceResponse>;

export interface ServiceOptions {
  /** Returns the current release, or null if there is no release yet; called for every request. */
  readonly release: () => Promise<ReleaseReader | null>;
  /** Maximum time for a response; afterwards, reads stop and the response is a 504. */
  readonly deadlineMs?: number;
  /** Maximum total size of cached responses in bytes; by default, nothing is cached. */
  readonly cacheBytes?: number;
  /** Threads for responses that would delay other requests; null or absent to use only this thread. */
  readonly threads?: AnswerThreads | null;
  /**
   * Called with every error that becomes a 500, with each thread that ended, with each failure to read the release, and
   * once per damaged table; not for aborted requests. If the callback throws, the service rejects with that error.
   */
  readonly onDefect?: (error: unknown, requestId: string) => void;
}

const DEFAULT_DEADLINE_MS = 10_000;

export function createService(options: ServiceOptions): Service {
  const { deadlineMs = DEFAULT_DEADLINE_MS, cacheBytes = 0, threads = null } = options;
  const caches = new WeakMap<ReleaseReader, ReturnType<typeof createResponseCache>>();
  const sharings = new WeakMap<ReleaseReader, ShareWork<SerializedResponse>>();
  const reported = new Set<string>();

  async function respond(request: ServiceRequest): Promise<ServiceResponse> {
    const { id } = request;
    try {
      const { entityTag, head } = await findOrComputeResponse(request);
      if (matchesTag(request.headers['if-none-match'], entityTag))
        return { status: 304, headers: makeHeaders(entityTag, id), body: [] };
      return makeOkResponse(entityTag, [head, `${id}"}}`], id);
    } catch (error) {
      const problem = toProblem(error);
      if (isNewDefect(error, problem) && request.signal?.aborted !== true) options.onDefect?.(error, id);
      return makeProblemResponse(problem ?? DEFECT_PROBLEM, request);
    }
  }

  /** Whether to report an error. Damage of a table is reported once, although all requests for the table fail. */
  function isNewDefect(error: unknown, problem: ProblemError | null): boolean {
    if (!(error instanceof TableFailure))
      return problem === null || error instanceof ThreadEndedError || isReadFailure(error);
    const isNew = !reported.has(error.message);
    reported.add(error.message);
    return isNew;
  }

  /**
   * Returns the cached response, or computes it. Only 200 responses are cached, so a request with a cached response
   * needs no parameter check.
   */
  async function findOrComputeResponse(request: ServiceRequest): Promise<SerializedResponse> {
    const release = await options.release();
    const cache = release && getOrInsert(caches, release, () => createResponseCache(cacheBytes));
    const cached = request.method === 'GET' ? cache?.get(request.target) : undefined;
    if (cached !== undefined) return cached;
    const question = routeRequest(request.method, request.target);
    const compute = async (signal: AbortSignal) => serializeAnswer(await answerQuestion(release, question, signal));
    const serialized = await withDeadline(deadlineMs, request.signal, async (signal) => {
      if (release === null) return compute(signal);
      if (threads !== null && needsThread(question)) return threads.answer(release, request.target, signal);
      return getOrInsert(sharings, release, createWorkSharer<SerializedResponse>)(request.target, signal, compute);
    });
    return cache === null ? serialized : cache.set(request.target, serialized);
  }

  return respond;
}

/** Headers of a 200 and of its 304, which must be the same (https://www.rfc-editor.org/rfc/rfc9110#section-15.4.5). */
const makeHeaders = (etag: string, id: string) => ({ 'cache-control': 'private, no-cache', etag, 'x-request-id': id });

const makeOkResponse = (etag: string, body: ServiceResponse['body'], id: string): ServiceResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json', ...makeHeaders(etag, id) },
  body,
});

/** The problem sent for a defect, without the cause. */
export const DEFECT_PROBLEM = new ProblemError(
  'internal_error',
  'The service failed because of an internal error. Try again later. To report the error, give the request id.',
);
const TIMEOUT = new ProblemError('timeout', 'The request took too long. Try again later, or request less at a time.');

const isReadFailure = (error: unknown) => isFailure(error) && error.kind === 'data';

const makeDamagedTableProblem = (table: string) =>
  new ProblemError(
    'unavailable',
    `The table ${table} of the data release is damaged. Requests that need it fail until the operator has built the release again; all other requests work.`,
  );

/**
 * The problem sent if the release cannot be read: the operating system refuses a read (too many open files, no
 * permission, no memory), or the tables of the release contradict each other.
 */
const UNREADABLE_RELEASE_PROBLEM = new ProblemError(
  'unavailable',
  'The service cannot read its data release at the moment. Try again later.',
);

/** The problem sent if the thread that computed the response ended. */
const ENDED_THREAD_PROBLEM = new ProblemError(
  'unavailable',
  'The computation of the response ended unexpectedly, probably because it needed too much memory. Request less at a time, or try again later.',
);

function toProblem(error: unknown): ProblemError | null {
  if (error instanceof ProblemError) return error;
  if (error instanceof TableFailure) return makeDamagedTableProblem(error.table);
  if (error instanceof ThreadEndedError) return ENDED_THREAD_PROBLEM;
  if (isReadFailure(error)) return UNREADABLE_RELEASE_PROBLEM;
  return isDeadlineError(error) ? TIMEOUT : null;
}

export function makeProblemResponse(
  problem: Pick<ProblemError, 'code' | 'detail'> & {
    readonly headers?: Readonly<Record<string, string>>;
  } & Pick<Parameters<typeof makeProblemDocument>[2], 'violated' | 'unknownParameters'>,
  { id, baseUrl }: Pick<ServiceRequest, 'id' | 'baseUrl'>,
): ServiceResponse {
  const { code, detail, ...details } = problem;
  const document = makeProblemDocument(code, detail, { ...details, requestId: id, baseUrl });
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': id,
    ...problem.headers,
  };
  return { status: document.status, headers, body: [JSON.stringify(document)] };
}

/**
 * Whether an `If-None-Match` header (a list, or `*`) matches this tag, by weak comparison
 * (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2).
 */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaqueTag = tag.replace(/^W\//, '');
  return ifNoneMatch.match(/"[^"]*"/g)?.some((tag) => tag === opaqueTag) ?? false;
}

/** Estimated memory of a cached response in addition to its text. */
const OVERHEAD_BYTES_PER_RESPONSE = 512;

/**
 * Returns a cache that evicts the least recently used responses if the size of all responses exceeds `capacity` bytes.
 */
function createResponseCache(capacity: number) {
  const responses = new Map<string, SerializedResponse>();
  let total = 0;
  const estimateSize = (target: string, { head }: SerializedResponse) =>
    target.length + head.length + OVERHEAD_BYTES_PER_RESPONSE;
  return {
    get(target: string): SerializedResponse | undefined {
      const response = responses.get(target);
      if (response === undefined) return undefined;
      responses.delete(target);
      responses.set(target, response);
      return response;
    },
    /** Caches the response unless it is large; returns the response with a body of bytes. */
    set(target: string, { entityTag, head }: SerializedResponse): SerializedResponse {
      const response = { entityTag, head: typeof head === 'string' ? toBytes(head) : head };
      const size = estimateSize(target, response);
      // A single response must not evict a large part of the cache.
      if (size > capacity / 8 || responses.has(target)) return response;
      responses.set(target, response);
      total += size;
      for (const [oldest, response] of responses) {
        if (total <= capacity) break;
        responses.delete(oldest);
        total -= estimateSize(oldest, response);
      }
      return response;
    },
  };
}
