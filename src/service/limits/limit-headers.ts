/** Describes an account's limits, in response headers and in messages about reached limits. */

import type { LimitName } from '../../contract/problems.ts';
import { formatPolicies, formatRemainders } from '../../contract/rate-limit.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { countSecondsToMonthEnd, countSecondsToWindowEnd, type Usage } from './counters.ts';
import { type Limits, toPolicies } from './limits.ts';

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
    'ratelimit-policy': formatPolicies(toPolicies(limits)),
  };
}

/** Returns the longest wait, in seconds, of all violated limits; for the concurrency limit, one second is assumed. */
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
