/**
 * Whether to send a failed request again, and after how long. Pure: the clock, the jitter and what was waited
 * so far come in as values.
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

export interface RetryContext {
  /** Retries made before this outcome. */
  readonly attempt: number;
  /** How many retries to make; null for as many as such a failure is worth. */
  readonly retries: number | null;
  /** Milliseconds of the wait before this attempt; 0 before the first. */
  readonly previous: number;
  /** Milliseconds that all waits for this response have taken, and may take. */
  readonly waited: number;
  readonly maxWait: number;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly deadline: number | null;
  /** Random, from 0 up to 1. */
  readonly jitter: number;
}

export type Decision =
  /** Not retryable: the response stands, or would be the same again. */
  | { readonly end: 'final' }
  | { readonly end: 'retry'; readonly ms: number }
  /** A retry may help, but not now: the retries are used up, or the wait does not fit. */
  | { readonly end: 'give-up'; readonly ms: number | null; readonly because: 'retries' | 'max-wait' | 'deadline' };

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
const RETRIES = 4;
/** After a 429 no request is sent sooner, whatever its headers say. */
const LIMIT_WAIT_MS = 1000;
/** What is restarting on this machine is back in a moment; what was never started will not come. */
const ABSENT = { retries: 1, ms: 200 };
const RETRIED: ReadonlySet<number> = new Set([500, 502, 503, 504]);

export function decideRetry(outcome: Outcome, context: RetryContext): Decision {
  if ('broken' in outcome) {
    if (outcome.broken !== 'absent' || context.retries !== null)
      return retryIn(backoff(FIRST_WAIT_MS, context), context);
    return retryIn(ABSENT.ms, { ...context, retries: ABSENT.retries });
  }
  const asked = retryAfter(outcome.headers, context.now);
  if (outcome.status === 429) {
    // What the service asks for, but at least a second, and growing where it asks for less.
    return retryIn(Math.max(asked ?? resetOf(outcome) ?? 0, backoff(2 * LIMIT_WAIT_MS, context)), context);
  }
  if (!RETRIED.has(outcome.status)) return { end: 'final' };
  // Jitter comes on top of Retry-After, so that those who were refused together do not return together.
  return retryIn(backoff(FIRST_WAIT_MS, context, asked ?? 0), context);
}

/** A wait that does not fit is not begun. */
function retryIn(ms: number, { attempt, retries, waited, maxWait, now, deadline }: RetryContext): Decision {
  if (attempt >= (retries ?? RETRIES)) return { end: 'give-up', ms: null, because: 'retries' };
  if (waited + ms > maxWait) return { end: 'give-up', ms, because: 'max-wait' };
  if (deadline !== null && now + ms > deadline) return { end: 'give-up', ms, because: 'deadline' };
  return { end: 'retry', ms };
}

/**
 * Exponential with equal jitter on top of `base`: the second half of the step is random, so a wait is not
 * shorter than the one before.
 */
function backoff(first: number, { attempt, jitter, previous }: RetryContext, base = 0): number {
  const step = Math.min(MAX_WAIT_MS, first * 2 ** Math.min(attempt, 16));
  return Math.max(base + Math.ceil((step * (1 + jitter)) / 2), Math.min(previous, base + MAX_WAIT_MS));
}

/** When the limits that a 429 names open again, in milliseconds from now, or null where it does not say. */
function resetOf({ headers, violated }: Extract<Outcome, { status: number }>): number | null {
  const resets = readLimitHeaders(headers)
    .remainders.filter(({ name, remaining }) => violated.includes(name) || remaining === 0)
    .flatMap(({ reset }) => (reset === undefined ? [] : [reset * 1000]));
  return resets.length > 0 ? Math.max(...resets) : null;
}
