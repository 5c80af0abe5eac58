/**
 * Decides whether to retry a failed request, and when. Pure: the clock, the jitter and the previous waits are
 * arguments.
 */
import { readLimitHeaders, retryAfter } from '../contract/rate-limit.ts';
import type { ConnectionErrorKind } from './connection-error.ts';

export type Outcome =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Limits that a 429 names. */
      readonly violated: readonly string[];
    }
  | { readonly broken: ConnectionErrorKind };

/** The attempts before an outcome. */
export interface Tries {
  /** Number of failed attempts since the last progress. */
  readonly attempt: number;
  /** Milliseconds of the previous wait; 0 before the first. */
  readonly previousWait: number;
  /** Total milliseconds of waits for this response. */
  readonly waited: number;
}

export const ZERO_TRIES: Tries = { attempt: 0, previousWait: 0, waited: 0 };

export interface RetryLimits {
  /** Maximum number of retries; null for the default of the kind of failure. */
  readonly retries: number | null;
  /** Maximum total milliseconds of waits. */
  readonly maxWait: number;
  /** Epoch milliseconds. */
  readonly deadline: number | null;
}

export interface RetryContext extends Tries, RetryLimits {
  /** Epoch milliseconds. */
  readonly now: number;
  /** A random number from 0 up to, but not including, 1. */
  readonly jitter: number;
}

export type Decision =
  /** Not retryable: the response is final. */
  | { readonly end: 'final' }
  | { readonly end: 'retry'; readonly ms: number }
  /** A retry may help, but not now: there are no retries left, or the wait is too long. */
  | { readonly end: 'give-up'; readonly ms: number | null; readonly because: 'retries' | 'max-wait' | 'deadline' };

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
const MAX_RETRIES = 4;
/** Minimum wait in milliseconds after a 429, whatever its headers say. */
const LIMIT_WAIT_MS = 1000;
/** A service that is restarting on this machine is back in a moment; one that is not running stays absent. */
const ABSENT_RETRY = { retries: 1, ms: 200 };
const RETRIED_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** Decides whether to repeat a request after an outcome, and when. */
export type RetryRule = (outcome: Outcome, tries: Tries) => Decision;

/** The rule of all requests, at the current time. */
export const retryWithin =
  ({ retries, maxWait, deadline }: RetryLimits): RetryRule =>
  (outcome, tries) =>
    decideRetry(outcome, { ...tries, retries, maxWait, deadline, now: Date.now(), jitter: Math.random() });

export function decideRetry(outcome: Outcome, context: RetryContext): Decision {
  if ('broken' in outcome) {
    if (outcome.broken !== 'absent' || context.retries !== null)
      return retryUnlessTooLate(backoff(FIRST_WAIT_MS, context), context);
    return retryUnlessTooLate(ABSENT_RETRY.ms, { ...context, retries: ABSENT_RETRY.retries });
  }
  const requestedWait = retryAfter(outcome.headers, context.now);
  if (outcome.status === 429) {
    // Waits as long as the service requests, but at least a second, and longer each time.
    return retryUnlessTooLate(
      Math.max(requestedWait ?? resetOf(outcome) ?? 0, backoff(2 * LIMIT_WAIT_MS, context)),
      context,
    );
  }
  if (!RETRIED_STATUSES.has(outcome.status)) return { end: 'final' };
  // Jitter is added to Retry-After, so that requests refused together do not return together.
  return retryUnlessTooLate(backoff(FIRST_WAIT_MS, context, requestedWait ?? 0), context);
}

/** A wait that does not fit is not begun. */
function retryUnlessTooLate(ms: number, { attempt, retries, waited, maxWait, now, deadline }: RetryContext): Decision {
  if (attempt >= (retries ?? MAX_RETRIES)) return { end: 'give-up', ms: null, because: 'retries' };
  if (waited + ms > maxWait) return { end: 'give-up', ms, because: 'max-wait' };
  if (deadline !== null && now + ms > deadline) return { end: 'give-up', ms, because: 'deadline' };
  return { end: 'retry', ms };
}

/**
 * Exponential backoff with equal jitter, added to `base`: the second half of the step is random, so waits never get
 * shorter.
 */
function backoff(firstWait: number, { attempt, jitter, previousWait }: RetryContext, base = 0): number {
  const step = Math.min(MAX_WAIT_MS, firstWait * 2 ** Math.min(attempt, 16));
  return Math.max(base + Math.ceil((step * (1 + jitter)) / 2), Math.min(previousWait, base + MAX_WAIT_MS));
}

/** Returns milliseconds until the limits that a 429 names reset; null if unknown. */
function resetOf({ headers, violated }: Extract<Outcome, { status: number }>): number | null {
  const resets = readLimitHeaders(headers)
    .remainders.filter(({ name, remaining }) => violated.includes(name) || remaining === 0)
    .flatMap(({ reset }) => (reset === undefined ? [] : [reset * 1000]));
  return resets.length > 0 ? Math.max(...resets) : null;
}
