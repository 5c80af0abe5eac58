/**
 * Adds keys and limits to the service: checks the key, then the limits, then passes the request to the service. Responses
 * state the limits of the account.
 */
import type { LimitName } from '../../contract/problems.ts';
import { formatPolicies, formatRemainders } from '../../contract/rate-limit.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import type { AuthenticationResult, KeyRing } from '../keys/key-ring.ts';
import type { Claim, Counters, Usage } from '../limits/counters.ts';
import { countSecondsToMonthEnd, countSecondsToWindowEnd } from '../limits/counters.ts';
import type { Limits, LimitsFinder } from '../limits/limits.ts';
import { waitForNextIteration } from '../request/event-loop.ts';
import { makeProblemResponse, type Service, type ServiceRequest, type ServiceResponse } from '../responses/service.ts';

interface AuthenticationOptions {
  readonly keys: KeyRing;
  readonly counters: Counters;
  readonly findLimits: LimitsFinder;
  /** Called with the cause of a 503 that authentication sends, and with errors of counting a request. */
  readonly onError: (error: unknown, requestId: string) => void;
}

export function withAuthentication(service: Service, options: AuthenticationOptions): Service {
  const { keys, counters, findLimits, onError } = options;

  async function respondToAccount(account: string, request: ServiceRequest): Promise<ServiceResponse> {
    const limits = findLimits(account);
    let claim: Claim;
    try {
      claim = await counters.claim(account, limits);
    } catch (error) {
      onError(error, request.id);
      return makeProblemResponse(UNREACHABLE_COUNTS, request);
    }
    const { violated, usage, now } = claim;
    const headers = makeLimitHeaders(limits, usage, now);
    if (violated.length > 0) {
      const seconds = computeRetryAfterSeconds(violated, limits, now);
      const detail = describeReachedLimits(violated, limits, seconds);
      const refusalHeaders = { ...headers, 'retry-after': `${seconds}` };
      return makeProblemResponse({ code: 'rate_limited', detail, headers: refusalHeaders, violated }, request);
    }
    // Waits until all requests that arrived together have claimed slots. Otherwise each response could free its slot
    // before the next request claims one, and the concurrency limit would refuse none of them.
    await waitForNextIteration();
    const response = await service(request);
    // A request also counts if its client disconnected before the response.
    const shouldCount = response.status < 500 || request.signal?.aborted === true;
    const settledUsage = await settle(claim, shouldCount, request.id);
    const settled = settledUsage === usage ? headers : makeLimitHeaders(limits, settledUsage, now);
    return { ...response, headers: { ...response.headers, ...settled }, finish: claim.finish };
  }

  /**
   * Confirms the claim if `counted`, otherwise refunds it; returns the usage. If either fails, reports the error; the
   * response is still sent.
   */
  async function settle(claim: Claim, counted: boolean, id: string): Promise<Usage> {
    try {
      if (!counted) return await claim.refund();
      await claim.keep();
    } catch (error) {
      onError(error, id);
    }
    return claim.usage;
  }

  return async (request) => {
    let result: AuthenticationResult;
    try {
      result = keys.authenticate(request.headers.authorization);
    } catch (error) {
      onError(error, request.id);
      return makeProblemResponse(UNREADABLE_KEYS_PROBLEM, request);
    }
    if ('account' in result) return { ...(await respondToAccount(result.account, request)), account: result.account };
    return makeProblemResponse({ ...result, headers: { 'www-authenticate': result.challenge } }, request);
  };
}

const UNREADABLE_KEYS_PROBLEM = {
  code: 'unavailable',
  detail: 'The service cannot check API keys at the moment. Try again later.',
} as const;
const UNREACHABLE_COUNTS = {
  code: 'unavailable',
  detail: 'The service cannot check request limits at the moment. Try again later.',
} as const;

/**
 * Returns the limit headers of a response to a request with a valid key. The remaining requests already exclude this
 * request, if it was counted.
 */
export function makeLimitHeaders(limits: Limits, usage: Usage, now: number): Record<string, string> {
  const countRemaining = (name: LimitName) => Math.max(0, limits[name] - usage[name]);
  return {
    ratelimit: formatRemainders([
      { name: 'minute', remaining: countRemaining('minute'), reset: countSecondsToWindowEnd(now, limits.seconds) },
      { name: 'month', remaining: countRemaining('month'), reset: countSecondsToMonthEnd(now) },
      { name: 'concurrent', remaining: countRemaining('concurrent') },
    ]),
    'ratelimit-policy': formatPolicies([
      { name: 'minute', quota: limits.minute, window: limits.seconds },
      { name: 'month', quota: limits.month },
      { name: 'concurrent', quota: limits.concurrent, unit: 'concurrent-requests' },
    ]),
  };
}

/**
 * Returns the longest wait in seconds among the violated limits. The wait of the concurrency limit is taken to be one
 * second.
 */
export function computeRetryAfterSeconds(violated: readonly LimitName[], limits: Limits, now: number): number {
  const waits: Readonly<Record<LimitName, number>> = {
    minute: countSecondsToWindowEnd(now, limits.seconds),
    month: countSecondsToMonthEnd(now),
    concurrent: 1,
  };
  return Math.max(...violated.map((name) => waits[name]));
}

const FORMATTER_BY_LIMIT: Readonly<Record<LimitName, (limits: Limits) => string>> = {
  minute: ({ minute, seconds }) =>
    `${formatCount(minute, 'request')} ${seconds === 60 ? 'a minute' : `in ${seconds} s`}`,
  month: ({ month }) => `${formatCount(month, 'request')} a month`,
  concurrent: ({ concurrent }) => `${formatCount(concurrent, 'request')} at a time`,
};

export function describeReachedLimits(reachedLimits: readonly LimitName[], limits: Limits, seconds: number): string {
  const reached = reachedLimits.map((name) => FORMATTER_BY_LIMIT[name](limits)).join(', ');
  const noun = reachedLimits.length === 1 ? 'limit' : 'limits';
  return `The account has reached its ${noun}: ${reached}. Try again in ${formatCount(seconds, 'second')}.`;
}
