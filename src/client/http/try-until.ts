/**
 * Repeats a request until its outcome is final: a limited number of attempts with waits in between, ended by the
 * caller or the deadline.
 */

import { type Decision, decideRetry, type Outcome } from '../../http/retry.ts';
import { Tries } from '../../http/tries.ts';
import type { ClientEvent } from '../events.ts';
import type { ClientOptions } from '../options.ts';
import { boundBy, throwIfAborted } from './deadline.ts';

export interface Tried {
  readonly outcome: Outcome;
  /** Returns the cause as a sentence; called only before another attempt. */
  why(): string;
}

/** Why there is no further attempt. */
export type End = Exclude<Decision, { end: 'retry' }>;

export interface LastTry<T> {
  readonly last: T;
  readonly end: End;
  /** Number of failed attempts before it. */
  readonly failed: number;
}

/**
 * @param once sends the request; an error that it throws ends the attempts
 * @returns the last attempt. Throws the caller's reason if the caller aborted, and the Failure of the deadline.
 */
export async function tryUntilFinal<T extends Tried>(
  once: (signal: AbortSignal | null) => Promise<T>,
  options: ClientOptions,
  report: (event: ClientEvent) => void,
): Promise<LastTry<T>> {
  const signal = boundBy(options);
  const { retries, maxWait, deadline } = options;
  const tries = new Tries();
  for (;;) {
    throwIfAborted(signal, options);
    const last = await once(signal);
    const { count: attempt, previous, waited } = tries;
    const budget = { attempt, retries, previous, waited, maxWait, deadline };
    const decision = decideRetry(last.outcome, { ...budget, now: Date.now(), jitter: Math.random() });
    if (decision.end !== 'retry') return { last, end: decision, failed: attempt };
    report({ type: 'retrying', why: last.why(), ms: decision.ms, attempt: attempt + 1 });
    // An abort ends the wait; the next iteration throws its reason.
    await tries.wait(decision.ms, signal).catch(() => undefined);
  }
}
