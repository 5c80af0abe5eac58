import type { RetryRule } from '../../src/http/retry.ts';

/** Repeats every failed attempt, with short waits. */
export const retryAtMost =
  (retries: number, ms: number): RetryRule =>
  (_, { attempt }) =>
    attempt < retries ? { end: 'retry', ms } : { end: 'give-up', ms: null, because: 'retries' };
