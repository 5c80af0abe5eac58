/** The headers and the refusal that tell an account its limits. */
import type { LimitName } from '../../contract/problems.ts';
import { printPolicies, printRemainders } from '../../contract/rate-limit.ts';
import { secondsOfMonth, secondsOfWindow, type Usage } from './counters.ts';
import { type Limits, policiesOf } from './limits.ts';

/** On every response to a request with a valid key. Remainders are those after the request. */
export function limitHeaders(limits: Limits, usage: Usage, now: number): Record<string, string> {
  const left = (name: LimitName) => Math.max(0, limits[name] - usage[name]);
  return {
    ratelimit: printRemainders([
      { name: 'minute', remaining: left('minute'), reset: secondsOfWindow(now, limits.seconds) },
      { name: 'month', remaining: left('month'), reset: secondsOfMonth(now) },
      { name: 'concurrent', remaining: left('concurrent') },
    ]),
    'ratelimit-policy': policyHeader(limits),
  };
}

/** The same for every request of an account, so printed once. */
const printed = new WeakMap<Limits, string>();

function policyHeader(limits: Limits): string {
  const header = printed.get(limits) ?? printPolicies(policiesOf(limits));
  printed.set(limits, header);
  return header;
}

/** Seconds until none of the limits is exceeded: the longest wait of all. */
export function retryAfter(violated: readonly LimitName[], limits: Limits, now: number): number {
  const waits: Readonly<Record<LimitName, number>> = {
    minute: secondsOfWindow(now, limits.seconds),
    month: secondsOfMonth(now),
    concurrent: 1,
  };
  return Math.max(...violated.map((name) => waits[name]));
}

const LIMIT_TEXTS: Readonly<Record<LimitName, (limits: Limits) => string>> = {
  minute: ({ minute, seconds }) => `${minute} requests ${seconds === 60 ? 'a minute' : `in ${seconds} s`}`,
  month: ({ month }) => `${month} requests a month`,
  concurrent: ({ concurrent }) => `${concurrent} requests at a time`,
};

export function limitDetail(violated: readonly LimitName[], limits: Limits, seconds: number): string {
  const spent = violated.map((name) => LIMIT_TEXTS[name](limits)).join(', ');
  return `The account has reached its limit: ${spent}. Ask again in ${seconds} seconds.`;
}
