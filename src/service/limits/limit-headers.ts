/** Headers and refusals that describe an account's limits. */

import type { LimitName } from '../../contract/problems.ts';
import { formatPolicies, formatRemainders } from '../../contract/rate-limit.ts';
import { count } from '../../contract/text/wording.ts';
import { secondsToMonthEnd, secondsToWindowEnd, type Usage } from './counters.ts';
import { type Limits, toPolicies } from './limits.ts';

/**
 * Returns the headers of every response to a request with a valid key. Remaining counts already exclude this request.
 */
export function makeLimitHeaders(limits: Limits, usage: Usage, now: number): Record<string, string> {
  const countRemaining = (name: LimitName) => Math.max(0, limits[name] - usage[name]);
  return {
    ratelimit: formatRemainders([
      { name: 'minute', remaining: countRemaining('minute'), reset: secondsToWindowEnd(now, limits.seconds) },
      { name: 'month', remaining: countRemaining('month'), reset: secondsToMonthEnd(now) },
      { name: 'concurrent', remaining: countRemaining('concurrent') },
    ]),
    'ratelimit-policy': getPolicyHeader(limits),
  };
}

/** Cached, because all requests with the same limits get the same policy header. */
const policyHeaderCache = new WeakMap<Limits, string>();

function getPolicyHeader(limits: Limits): string {
  const header = policyHeaderCache.get(limits) ?? formatPolicies(toPolicies(limits));
  policyHeaderCache.set(limits, header);
  return header;
}

/** Returns the number of seconds until no limit is exceeded, which is the longest wait of all violated limits. */
export function computeRetryAfter(violated: readonly LimitName[], limits: Limits, now: number): number {
  const waitSeconds: Readonly<Record<LimitName, number>> = {
    minute: secondsToWindowEnd(now, limits.seconds),
    month: secondsToMonthEnd(now),
    concurrent: 1,
  };
  return Math.max(...violated.map((name) => waitSeconds[name]));
}

const LIMIT_TEXTS: Readonly<Record<LimitName, (limits: Limits) => string>> = {
  minute: ({ minute, seconds }) => `${count(minute, 'request')} ${seconds === 60 ? 'a minute' : `in ${seconds} s`}`,
  month: ({ month }) => `${count(month, 'request')} a month`,
  concurrent: ({ concurrent }) => `${count(concurrent, 'request')} at a time`,
};

export function describeLimits(violated: readonly LimitName[], limits: Limits, seconds: number): string {
  const reachedLimitText = violated.map((name) => LIMIT_TEXTS[name](limits)).join(', ');
  const noun = violated.length === 1 ? 'limit' : 'limits';
  return `The account has reached its ${noun}: ${reachedLimitText}. Try again in ${count(seconds, 'second')}.`;
}
