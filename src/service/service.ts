/**
 * The service as one function, a request in and a response out, over a release. Keys, limits and sockets are put around
 * it by `fin serve`.
 */
import { isFailure } from '../contract/failure.ts';
import { type ProblemCode, problemDocument } from '../contract/problems.ts';
import { DamagedTable } from '../store/manifest.ts';
import type { ReleaseReader } from '../store/reader.ts';
import { answerQuestion } from './answer-question.ts';
import { isDeadline, withDeadline } from './deadline.ts';
import { ProblemError } from './problem-error.ts';
import { requestIdOf } from './request-id.ts';
import { createResponseCache, type ResponseCache } from './response-cache.ts';
import { route } from './route.ts';
import { type SealedResponse, seal } from './sealed-response.ts';
import type { AnswerThreads } from './threads/answer-threads.ts';
import { derivesMuch } from './threads/derives-much.ts';

/** `target` is path and query as on the wire; header names are in lower case. */
export interface ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** What the client calls this service, where that is not the one address it has. */
  readonly baseUrl?: string;
  /** Reads the body, which the interface ignores: its text, or null where it has more bytes than these. */
  readonly body?: (bytesMax: number) => Promise<string | null>;
  /** Aborted when the response is no longer wanted. Read only where there is something to stop. */
  readonly signal?: AbortSignal;
}

/** A response, ready to be sent: header names in lower case. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body in parts that follow one another, text or its UTF-8; none for a 304. */
  readonly body: readonly (string | Buffer)[];
}

export interface Service {
  /**
   * Never rejects: whatever goes wrong becomes a problem.
   * @param requestId the id of the response, where it has been settled already
   */
  respond(request: ServiceRequest, requestId?: string): Promise<ServiceResponse>;
}

export interface ServiceOptions {
  /** The release to answer from, asked for with every request; null before the first. */
  readonly release: () => Promise<ReleaseReader | null>;
  /** Where the addresses of problem types begin, without a slash at the end. */
  readonly baseUrl: string;
  /** Longest time for one response, after which it is a 504 and its reads are stopped. */
  readonly deadlineMs?: number;
  /** Bytes of responses to cache; none by default. */
  readonly cacheBytes?: number;
  /** Derive what would keep other requests waiting; without them all is answered in this thread. */
  readonly threads?: AnswerThreads | null;
  /**
   * Called with every error before it becomes a 500, with each failure to read the release, and once with each damage of
   * a table; what it throws is thrown on instead.
   */
  readonly onDefect?: (error: unknown, requestId: string) => void;
}

const DEADLINE_MS = 10_000;

export function createService(options: ServiceOptions): Service {
  const { baseUrl, deadlineMs = DEADLINE_MS, cacheBytes = 0, threads = null } = options;
  const caches = new WeakMap<ReleaseReader, ResponseCache>();
  const damage = new Set<string>();

  async function respond(
    request: ServiceRequest,
    requestId = requestIdOf(request.headers['x-request-id']),
  ): Promise<ServiceResponse> {
    try {
      const { tag, head } = await find(request);
      if (matchesTag(request.headers['if-none-match'], tag)) return notModified(tag, requestId);
      return ok(tag, [head, `${requestId}"}}`], requestId);
    } catch (error) {
      const problem = problemOf(error);
      if (isNews(error, problem) && request.signal?.aborted !== true) options.onDefect?.(error, requestId);
      return problemResponse(problem ?? DEFECT, { requestId, baseUrl: request.baseUrl ?? baseUrl });
    }
  }

  /** Whether to report an error. Of a damaged table the same damage is reported once, however many requests meet it. */
  function isNews(error: unknown, problem: ProblemError | null): boolean {
    if (!(error instanceof DamagedTable)) return problem === null || isUnreadable(error);
    const isNew = !damage.has(error.message);
    damage.add(error.message);
    return isNew;
  }

  /** The cached response, or else one that is read now. Only 200s are cached, so a cached one needs no second check. */
  async function find(request: ServiceRequest): Promise<SealedResponse> {
    const release = await options.release();
    const cache = release === null ? undefined : cacheOf(release);
    const cached = request.method === 'GET' ? cache?.get(request.target) : undefined;
    if (cached !== undefined) return cached;
    const question = route(request.method, request.target);
    const made = await withDeadline(deadlineMs, request.signal, async (signal) =>
      threads !== null && release !== null && derivesMuch(question)
        ? threads.answer(release, request.target, signal)
        : seal(await answerQuestion(release, question, signal)),
    );
    return cache === undefined ? made : cache.keep(request.target, made);
  }

  function cacheOf(release: ReleaseReader): ResponseCache | undefined {
    if (cacheBytes === 0) return undefined;
    const cache = caches.get(release) ?? createResponseCache(cacheBytes);
    caches.set(release, cache);
    return cache;
  }

  return { respond };
}

function ok(tag: string, body: ServiceResponse['body'], requestId: string): ServiceResponse {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    etag: tag,
    'x-request-id': requestId,
  };
  return { status: 200, headers, body };
}

function notModified(tag: string, requestId: string): ServiceResponse {
  return { status: 304, headers: { etag: tag, 'x-request-id': requestId }, body: [] };
}

/** A defect is reported to the caller as one, without its cause. */
const DEFECT = new ProblemError(
  'internal_error',
  'The service failed to answer. Ask again later; name the request id.',
);
const TIMEOUT = new ProblemError('timeout', 'The request took too long. Ask again later, or for less at a time.');

const isUnreadable = (error: unknown) => isFailure(error) && error.kind === 'data';

const damagedTable = (table: string) =>
  new ProblemError(
    'unavailable',
    `The table ${table} of the release is damaged: what needs it cannot be answered until its operator has built the release again. All else is answered.`,
  );

/** The system refused: too many open files, no permission, no memory. */
const UNREADABLE = new ProblemError('unavailable', 'The service cannot read its release just now. Ask again later.');

function problemOf(error: unknown): ProblemError | null {
  if (error instanceof ProblemError) return error;
  if (error instanceof DamagedTable) return damagedTable(error.table);
  if (isUnreadable(error)) return UNREADABLE;
  return isDeadline(error) ? TIMEOUT : null;
}

/** A problem, ready to be sent. */
export function problemResponse(
  problem: {
    readonly code: ProblemCode;
    readonly detail: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
  context: Parameters<typeof problemDocument>[2],
): ServiceResponse {
  const document = problemDocument(problem.code, problem.detail, context);
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': context.requestId,
    ...problem.headers,
  };
  return { status: document.status, headers, body: [JSON.stringify(document)] };
}

/** Whether an `If-None-Match` header (a list, or `*`) names this tag, compared weakly (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.match(/"[^"]*"/g)?.some((listed) => listed === opaque) ?? false;
}
