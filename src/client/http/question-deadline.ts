/** Ends a question, with all its requests, when its caller aborts or its deadline passes. */
import { Failure } from '../../contract/failure.ts';
import { option, say } from '../../contract/text/text.ts';
import type { AttemptWithOutcome, LastAttempt, RetryPolicy } from '../../http/retry.ts';
import { createRetryRule, tryUntilFinal } from '../../http/retry.ts';
import type { ClientOptions } from '../request/client-options.ts';
import type { ClientEvent } from '../request/events.ts';

/** Combines the caller's signal and the deadline; null if neither is set. */
function combineWithDeadline({ signal, deadline }: ClientOptions): AbortSignal | null {
  if (deadline === null) return signal;
  const remainingMs = deadline - Date.now();
  const timeout = remainingMs > 0 ? AbortSignal.timeout(remainingMs) : AbortSignal.abort();
  return signal === null ? timeout : AbortSignal.any([signal, timeout]);
}

/** Throws the caller's reason if the caller aborted; throws a Failure if the deadline passed. */
export function throwIfEnded(signal: AbortSignal | null, options: ClientOptions): void {
  if (signal?.aborted !== true) return;
  if (options.signal?.aborted === true || options.deadline === null) throw signal.reason;
  const hint = say`Increase ${option('deadline')}, or request less.`;
  throw new Failure('network', 'The deadline passed before the response came.', { hint });
}

/**
 * Repeats an attempt until its outcome is final. Throws like `throwIfEnded`, and the errors of `tryOnce`.
 */
export async function tryBeforeDeadline<T extends AttemptWithOutcome>(
  tryOnce: (signal: AbortSignal | null) => Promise<T>,
  options: ClientOptions,
  report: (event: ClientEvent) => void,
): Promise<LastAttempt<T>> {
  const signal = combineWithDeadline(options);
  try {
    const rule = createRetryRule(options);
    const policy: RetryPolicy = { rule, signal, report: (wait) => report({ type: 'retrying', ...wait }) };
    return await tryUntilFinal(() => tryOnce(signal), policy);
  } catch (error) {
    throwIfEnded(signal, options);
    throw error;
  }
}
