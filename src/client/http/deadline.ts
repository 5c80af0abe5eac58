/** Ends a question when its caller aborts or its deadline passes, for everything that sends its requests. */
import { Failure } from '../../contract/failure.ts';
import { retryWithin } from '../../http/retry.ts';
import { type JudgedAttempt, type LastAttempt, tryUntilFinal } from '../../http/try-until-final.ts';
import type { ClientEvent } from '../events.ts';
import type { ClientOptions } from '../options.ts';

/** Returns one signal for the caller's own and the deadline; null if there is neither. */
function signalWithDeadline({ signal, deadline }: ClientOptions): AbortSignal | null {
  if (deadline === null) return signal;
  const remainingMs = deadline - Date.now();
  const deadlineSignal = remainingMs > 0 ? AbortSignal.timeout(remainingMs) : AbortSignal.abort();
  return signal === null ? deadlineSignal : AbortSignal.any([signal, deadlineSignal]);
}

/** Throws the caller's own reason if the caller aborted, otherwise the Failure of the deadline. */
export function throwIfAborted(signal: AbortSignal | null, options: ClientOptions): void {
  if (signal?.aborted !== true) return;
  if (options.signal?.aborted === true || options.deadline === null) throw signal.reason;
  throw new Failure('network', 'The deadline passed before the response came.', {
    hint: 'Increase --deadline, or request less.',
  });
}

/** Repeats a request until its outcome is final. Throws as `throwIfAborted`, and what `tryOnce` throws. */
export async function tryInTime<T extends JudgedAttempt>(
  tryOnce: (signal: AbortSignal | null) => Promise<T>,
  options: ClientOptions,
  report: (event: ClientEvent) => void,
): Promise<LastAttempt<T>> {
  const signal = signalWithDeadline(options);
  try {
    return await tryUntilFinal(() => tryOnce(signal), {
      rule: retryWithin(options),
      signal,
      report: (wait) => report({ type: 'retrying', ...wait }),
    });
  } catch (error) {
    throwIfAborted(signal, options);
    throw error;
  }
}
