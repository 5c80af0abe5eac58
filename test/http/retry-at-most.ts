import type { RetryRule } from '../../src/http/retry.ts';

/** Returns a rule that repeats every failed attempt after a short wait. */
export const retryAtMost =
  (retries: number, ms: number): RetryRule =>
  (_, { failedCount }) =>
    failedCount < retries ? { end: 'retry', ms } : { end: 'give-up', ms: null, because: 'retries' };
