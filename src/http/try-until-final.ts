/** Repeats a request until its outcome is final. Its policy decides what is tried again, when, and what is reported. */
import { sleep } from '../platform/sleep.ts';
import { type Decision, type Outcome, type RetryRule, type Tries, ZERO_TRIES } from './retry.ts';

/** An attempt whose outcome the policy judges. */
export interface JudgedAttempt {
  readonly outcome: Outcome;
  /** Returns the cause as a sentence; called only before another attempt. */
  why(): string;
  /** Bytes that this attempt received and a later one does not request again. */
  readonly progress?: number;
}

export interface RetryPolicy {
  readonly rule: RetryRule;
  /** Bytes. An attempt with this much progress does not count as failed; default: every attempt counts. */
  readonly progressBytes?: number;
  /** Ends a wait; its reason is thrown. */
  readonly signal: AbortSignal | null;
  /** Called before each wait. */
  report(wait: Wait): void;
}

interface Wait {
  readonly why: string;
  readonly ms: number;
  /** Number of failed attempts. */
  readonly attempt: number;
}

/** Why there is no further attempt. */
export type FinalDecision = Exclude<Decision, { end: 'retry' }>;

export interface LastAttempt<T> {
  readonly last: T;
  readonly end: FinalDecision;
  /** Number of failed attempts before it. */
  readonly failedAttempts: number;
}

const FINAL: FinalDecision = { end: 'final' };

/**
 * @param tryOnce sends the request; null as the outcome of its attempt ends the attempts, as does an error that it
 *   throws
 * @returns the last attempt. Throws the signal's reason when it aborts.
 */
export async function tryUntilFinal<T extends JudgedAttempt | { readonly outcome: null }>(
  tryOnce: () => Promise<T>,
  { rule, progressBytes = Number.POSITIVE_INFINITY, signal, report }: RetryPolicy,
): Promise<LastAttempt<T>> {
  let tries: Tries = ZERO_TRIES;
  for (let failedAttempts = 0; ; failedAttempts += 1) {
    signal?.throwIfAborted();
    const attempt = await tryOnce();
    const judgedAttempt: JudgedAttempt | { readonly outcome: null } = attempt;
    if (judgedAttempt.outcome === null) return { last: attempt, end: FINAL, failedAttempts };
    if ((judgedAttempt.progress ?? 0) >= progressBytes) tries = { ...tries, attempt: 0 };
    const decision = rule(judgedAttempt.outcome, tries);
    if (decision.end !== 'retry') return { last: attempt, end: decision, failedAttempts };
    const { ms } = decision;
    report({ why: judgedAttempt.why(), ms, attempt: failedAttempts + 1 });
    await sleep(ms, signal);
    tries = { attempt: tries.attempt + 1, waited: tries.waited + ms, previousWait: ms };
  }
}
