/** Repeats a request until its outcome is final. The policy decides on retries, waits and reports. */
import { sleep } from '../platform/builtins/loaded-on-use.ts';
import type { AttemptHistory, AttemptOutcome, RetryDecision, RetryRule } from './retry.ts';
import { EMPTY_HISTORY } from './retry.ts';

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

interface Wait {
  readonly why: string;
  readonly ms: number;
  /** Number of failed attempts so far. */
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

const FINAL_DECISION: FinalDecision = { end: 'final' };

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
  let history: AttemptHistory = EMPTY_HISTORY;
  for (let failed = 0; ; failed += 1) {
    signal?.throwIfAborted();
    const attempt = await tryOnce();
    const judged: AttemptWithOutcome | { readonly outcome: null } = attempt;
    if (judged.outcome === null) return { last: attempt, decision: FINAL_DECISION, failedAttemptCount: failed };
    if ((judged.progress ?? 0) >= progressBytes) history = { ...history, failedCount: 0 };
    const decision = rule(judged.outcome, history);
    if (decision.end !== 'retry') return { last: attempt, decision, failedAttemptCount: failed };
    const { ms } = decision;
    report({ why: judged.why(), ms, attempt: failed + 1 });
    await sleep(ms, signal);
    history = { failedCount: history.failedCount + 1, waited: history.waited + ms, previousWait: ms };
  }
}
