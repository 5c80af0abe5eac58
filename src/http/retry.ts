/**
 * Decides whether and when to retry a failed request, and repeats requests until their outcome is final. `decideRetry` is
 * pure: time, jitter and previous waits are arguments.
 */
import { parseRetryAfter, readLimitHeaders } from '../contract/rate-limit.ts';
import { sleep } from '../platform/builtins/loaded-on-use.ts';
import type { ConnectionErrorKind } from './network-errors.ts';

export type AttemptOutcome =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Names of limits that a 429 response states as violated. */
      readonly violated: readonly string[];
    }
  | { readonly broken: ConnectionErrorKind };

/** The attempts so far. */
export interface AttemptHistory {
  /** Number of failed attempts since the last attempt that made progress. */
  readonly failedCount: number;
  /** Duration of the previous wait in milliseconds; 0 before the first wait. */
  readonly previousWait: number;
  /** Total duration of all waits for this response in milliseconds. */
  readonly waited: number;
}

interface RetryLimits {
  /** Maximum number of retries; null for the default, which depends on the kind of failure. */
  readonly retries: number | null;
  /** Maximum total duration of waits in milliseconds. */
  readonly maxWait: number;
  /** Epoch milliseconds after which no attempt starts; null for no deadline. */
  readonly deadline: number | null;
}

export interface RetryContext extends AttemptHistory, RetryLimits {
  /** Current time in epoch milliseconds. */
  readonly now: number;
  /** A random number, at least 0 and less than 1. */
  readonly jitter: number;
}

type RetryDecision =
  /** The outcome is final: a success, or a failure that a retry would not change. */
  | { readonly end: 'final' }
  | { readonly end: 'retry'; readonly ms: number }
  /** A retry might succeed, but is not possible: no retries are left, or the wait would be too long. */
  | { readonly end: 'give-up'; readonly ms: number | null; readonly because: 'retries' | 'max-wait' | 'deadline' };

const FIRST_WAIT_MS = 500;
const MAX_BACKOFF_MS = 30_000;
const DEFAULT_MAX_RETRIES = 4;
/** Minimum wait in milliseconds after a 429, regardless of its headers. */
const MIN_RATE_LIMIT_WAIT_MS = 1000;
/**
 * Default number of retries, and the wait before each, if nothing listens at an address on this machine. One short wait
 * is enough: a service that restarts is back by then, and a stopped service does not come back.
 */
const ABSENT_SERVICE_RETRY = { retries: 1, ms: 200 };
/**
 * Statuses after which a repeated request may succeed: those of the service, and those of a proxy in front of it (408,
 * 421, 425, and 520 to 524 of a content delivery network).
 */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 421, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

/** Decides whether and when to repeat a request after an outcome. */
export type RetryRule = (outcome: AttemptOutcome, tries: AttemptHistory) => RetryDecision;

/** Returns the rule that all requests use, with the current time and a random jitter. */
export const createRetryRule =
  ({ retries, maxWait, deadline }: RetryLimits): RetryRule =>
  (outcome, history) =>
    decideRetry(outcome, { ...history, retries, maxWait, deadline, now: Date.now(), jitter: Math.random() });

export function decideRetry(outcome: AttemptOutcome, context: RetryContext): RetryDecision {
  if ('broken' in outcome) {
    if (outcome.broken !== 'absent' || context.retries !== null)
      return decideWithinLimits(computeBackoff(FIRST_WAIT_MS, context), context);
    return decideWithinLimits(ABSENT_SERVICE_RETRY.ms, { ...context, retries: ABSENT_SERVICE_RETRY.retries });
  }
  const requestedMs = parseRetryAfter(outcome.headers, context.now);
  if (outcome.status === 429) {
    // Waits as long as the service requests, but at least a second, and longer after each attempt.
    const statedMs = requestedMs ?? computeMsUntilReset(outcome) ?? 0;
    return decideWithinLimits(Math.max(statedMs, computeBackoff(2 * MIN_RATE_LIMIT_WAIT_MS, context)), context);
  }
  if (!RETRIED_STATUSES.has(outcome.status)) return { end: 'final' };
  // Jitter is added to Retry-After, so that requests that were refused at the same time are not repeated at the same
  // time.
  return decideWithinLimits(computeBackoff(FIRST_WAIT_MS, context, requestedMs ?? 0), context);
}

/** Gives up immediately if the wait would exceed a limit. */
function decideWithinLimits(ms: number, context: RetryContext): RetryDecision {
  const { failedCount, retries, waited, maxWait, now, deadline } = context;
  if (failedCount >= (retries ?? DEFAULT_MAX_RETRIES)) return { end: 'give-up', ms: null, because: 'retries' };
  if (waited + ms > maxWait) return { end: 'give-up', ms, because: 'max-wait' };
  if (deadline !== null && now + ms > deadline) return { end: 'give-up', ms, because: 'deadline' };
  return { end: 'retry', ms };
}

/**
 * Exponential backoff with equal jitter, added to `base`. Only the second half of each step is random, so waits never
 * become shorter.
 */
function computeBackoff(first: number, { failedCount, jitter, previousWait }: RetryContext, base = 0): number {
  const stepMs = Math.min(MAX_BACKOFF_MS, first * 2 ** Math.min(failedCount, 16));
  return Math.max(base + Math.ceil((stepMs * (1 + jitter)) / 2), Math.min(previousWait, base + MAX_BACKOFF_MS));
}

/**
 * Returns the milliseconds until all limits that refused a request (violated, or with nothing remaining) are reset;
 * null if unknown.
 */
function computeMsUntilReset({ headers, violated }: Extract<AttemptOutcome, { status: number }>): number | null {
  const waits = readLimitHeaders(headers)
    .remainders.filter(({ name, remaining }) => violated.includes(name) || remaining === 0)
    .flatMap(({ reset }) => (reset === undefined ? [] : [reset * 1000]));
  return waits.length > 0 ? Math.max(...waits) : null;
}

/** An attempt with an outcome that the policy judges. */
export interface AttemptWithOutcome {
  readonly outcome: AttemptOutcome;
  /** Returns the cause of the failure as a sentence. */
  why(): string;
  /** Number of bytes that this attempt received and a later attempt need not request again. */
  readonly progress?: number;
}

export interface RetryPolicy {
  readonly rule: RetryRule;
  /**
   * An attempt with at least this number of bytes of progress resets the count of failed attempts. By default, no
   * attempt does.
   */
  readonly progressBytes?: number;
  /** Ends a wait when the signal aborts; the signal's reason is then thrown. */
  readonly signal: AbortSignal | null;
  /** Called before each wait. */
  report(wait: Wait): void;
}

export interface Wait {
  /** The cause of the failure, as a sentence. */
  readonly why: string;
  readonly ms: number;
  /** Number of failed attempts so far; the next retry has this number. */
  readonly attempt: number;
}

/** The reason why no further attempt is made. */
export type FinalDecision = Exclude<RetryDecision, { end: 'retry' }>;

export interface LastAttempt<T> {
  readonly last: T;
  readonly decision: FinalDecision;
  /** Number of failed attempts before the last attempt. */
  readonly failedAttemptCount: number;
}

/**
 * Calls `tryOnce` until an attempt is final. Throws the signal's reason when it aborts.
 * @param tryOnce sends the request. If `tryOnce` throws, or returns an attempt with the outcome null, no further
 * attempt is made.
 * @returns the last attempt
 */
export async function tryUntilFinal<T extends AttemptWithOutcome | { readonly outcome: null }>(
  tryOnce: () => Promise<T>,
  { rule, progressBytes = Number.POSITIVE_INFINITY, signal, report }: RetryPolicy,
): Promise<LastAttempt<T>> {
  let history: AttemptHistory = { failedCount: 0, previousWait: 0, waited: 0 };
  for (let failedAttemptCount = 0; ; failedAttemptCount += 1) {
    signal?.throwIfAborted();
    const attempt = await tryOnce();
    const judged: AttemptWithOutcome | { readonly outcome: null } = attempt;
    if (judged.outcome === null) return { last: attempt, decision: { end: 'final' }, failedAttemptCount };
    if ((judged.progress ?? 0) >= progressBytes) history = { ...history, failedCount: 0 };
    const decision = rule(judged.outcome, history);
    if (decision.end !== 'retry') return { last: attempt, decision, failedAttemptCount };
    const { ms } = decision;
    report({ why: judged.why(), ms, attempt: failedAttemptCount + 1 });
    await sleep(ms, signal);
    history = { failedCount: history.failedCount + 1, waited: history.waited + ms, previousWait: ms };
  }
}
