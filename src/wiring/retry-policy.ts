/** The client's retries, for file transfers. */

import type { TransferSettings } from '../commands/ports/fetch.ts';
import { retryAfter } from '../contract/rate-limit.ts';
import type { RetryPolicy } from '../edgar/fetch/download.ts';
import { isConnectionError } from '../http/connection-error.ts';
import { decideRetry } from '../http/retry.ts';

export function retryPolicy({ maxWait, retries, deadline }: TransferSettings): RetryPolicy {
  return {
    delayBefore(outcome, attempt, waited) {
      const seen =
        'error' in outcome
          ? ({ broken: isConnectionError(outcome.error) ? outcome.error.kind : 'truncated' } as const)
          : { ...outcome, violated: [] };
      const budget = { attempt, retries, previous: 0, waited, maxWait, deadline };
      const decision = decideRetry(seen, { ...budget, now: Date.now(), jitter: Math.random() });
      return decision.end === 'retry' ? decision.ms : null;
    },
    retryAfter: (headers) => retryAfter(headers, Date.now()),
    longestPause: maxWait,
  };
}
