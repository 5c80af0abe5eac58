import type { RetryRule } from '../../src/http/retry.ts';

/**
 * Returns a rule that repeats a failed attempt after `ms` milliseconds. The rule gives up after `retries` retries in a
 * row without progress.
 */
export const retryAtMost =
  (retries: number, ms: number): RetryRule =>
  (_, { failedCount }) =>
    failedCount < retries ? { end: 'retry', ms } : { end: 'give-up', ms: null, because: 'retries' };
