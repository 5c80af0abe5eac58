/** Tries a request until its outcome stands: bounded tries, with waits between them, ended by the caller or the deadline. */

import { type Decision, decideRetry, type Outcome } from '../../http/retry.ts';
import { Tries } from '../../http/tries.ts';
import type { ClientEvent } from '../events.ts';
import type { ClientOptions } from '../options.ts';
import { boundBy, throwIfAborted } from './deadline.ts';

export interface Tried {
  readonly outcome: Outcome;
  /** What went wrong, as a sentence; asked for only where there is another try. */
  why(): string;
}

/** Why there is no other try. */
export type End = Exclude<Decision, { end: 'retry' }>;

export interface LastTry<T> {
  readonly last: T;
  readonly end: End;
  /** How many tries failed before it. */
  readonly failed: number;
}

/**
 * @param once sends the request; what it throws ends the tries
 * @returns the last try. Throws the caller's reason where the caller aborted, and the Failure of the deadline.
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
    // An abort ends the wait; the loop begins by throwing its reason.
    await tries.wait(decision.ms, signal).catch(() => undefined);
  }
}
