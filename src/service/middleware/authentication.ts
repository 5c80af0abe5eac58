/** Adds keys and limits to the service: checks the key, then the limits, then passes the request to the service. */

import type { AuthenticationResult, KeyRing } from '../keys/key-ring.ts';
import type { Claim, Counters } from '../limits/counters.ts';
import { computeRetryAfterSeconds, describeReachedLimits, makeLimitHeaders } from '../limits/limit-headers.ts';
import type { LimitsFinder } from '../limits/limits.ts';
import { waitForNextIteration } from '../request/event-loop.ts';
import { chooseRequestId } from '../request/request-id.ts';
import { makeProblemResponse, type Service, type ServiceRequest, type ServiceResponse } from '../responses/service.ts';

interface HandledRequest {
  readonly response: ServiceResponse;
  readonly requestId: string;
  readonly account: string | null;
  /** Frees the concurrency slot. Call this when the response has been sent, or cannot be sent any more. */
  finish(): void;
}

export interface RequestHandler {
  /** Handles a request; never rejects. */
  handle(request: ServiceRequest): Promise<HandledRequest>;
}

interface AuthenticationOptions {
  readonly keys: KeyRing;
  readonly counters: Counters;
  readonly findLimits: LimitsFinder;
  readonly baseUrl: string;
  /** Called with the cause of a 503 that authentication sends, and with errors of counting a request. */
  readonly onError: (error: unknown, requestId: string) => void;
}

const noop = () => {};

/** Requires no key and counts no requests: `--no-auth`. */
export const withoutAuthentication = (service: Service): RequestHandler => ({
  async handle(request) {
    const id = chooseRequestId(request.headers['x-request-id']);
    const response = await service.respond(request, id);
    return { response, requestId: id, account: null, finish: noop };
  },
});

export function withAuthentication(service: Service, options: AuthenticationOptions): RequestHandler {
  const { keys, counters, findLimits, baseUrl, onError } = options;

  async function handle(request: ServiceRequest): Promise<HandledRequest> {
    const id = chooseRequestId(request.headers['x-request-id']);
    const context = { requestId: id, baseUrl: request.baseUrl ?? baseUrl };
    const refuse = (response: ServiceResponse) => ({ response, requestId: id, account: null, finish: noop });
    let result: AuthenticationResult;
    try {
      result = keys.authenticate(request.headers.authorization);
    } catch (error) {
      onError(error, id);
      return refuse(makeProblemResponse(UNREADABLE_KEYS_PROBLEM, context));
    }
    if ('account' in result) return handleForAccount(result.account, request, id);
    return refuse(makeProblemResponse({ ...result, headers: { 'www-authenticate': result.challenge } }, context));
  }

  async function handleForAccount(account: string, request: ServiceRequest, requestId: string) {
    const context = { requestId, baseUrl: request.baseUrl ?? baseUrl };
    const limits = findLimits(account);
    let claim: Claim;
    try {
      claim = await counters.claim(account, limits);
    } catch (error) {
      onError(error, requestId);
      return { response: makeProblemResponse(UNREACHABLE_COUNTS, context), requestId, account, finish: noop };
    }
    const { violated, usage, now } = claim;
    const headers = makeLimitHeaders(limits, usage, now);
    if (violated.length > 0) {
      const seconds = computeRetryAfterSeconds(violated, limits, now);
      const detail = describeReachedLimits(violated, limits, seconds);
      const problem = { code: 'rate_limited', detail, headers: { ...headers, 'retry-after': `${seconds}` } } as const;
      return { response: makeProblemResponse(problem, { ...context, violated }), requestId, account, finish: noop };
    }
    // Waits until all requests that arrived together have claimed slots. Otherwise each response could free its slot
    // before the next request claims one, and the concurrency limit would refuse none of them.
    await waitForNextIteration();
    const response = await service.respond(request, requestId);
    // A request also counts if its client disconnected before the response.
    const shouldCount = response.status < 500 || request.signal?.aborted === true;
    const settledUsage = await settle(claim, shouldCount, requestId);
    const settled = settledUsage === usage ? headers : makeLimitHeaders(limits, settledUsage, now);
    const counted = { ...response, headers: { ...response.headers, ...settled } };
    return { response: counted, requestId, account, finish: limitToOneCall(claim.finish) };
  }

  /**
   * Confirms the claim if `counted`, otherwise refunds it; returns the usage. If this fails, reports the error, and
   * the response is still sent.
   */
  async function settle(claim: Claim, counted: boolean, id: string): Promise<Claim['usage']> {
    try {
      if (!counted) return await claim.refund();
      await claim.keep();
    } catch (error) {
      onError(error, id);
    }
    return claim.usage;
  }

  return { handle };
}

const UNREADABLE_KEYS_PROBLEM = {
  code: 'unavailable',
  detail: 'The service cannot check API keys at the moment. Try again later.',
} as const;
const UNREACHABLE_COUNTS = {
  code: 'unavailable',
  detail: 'The service cannot check request limits at the moment. Try again later.',
} as const;

function limitToOneCall(callback: () => void): () => void {
  let called = false;
  return () => {
    if (called) return;
    called = true;
    callback();
  };
}
