/** Limits the time in which a response must be ready. */

import { isTimeoutError } from '../../platform/files/system-error.ts';

/** Thrown when a response has taken the maximum time. */
class DeadlineError extends Error {}

/** Whether an abort reason is a passed deadline, set by {@link withDeadline} or by `AbortSignal.timeout`. */
export const isDeadlineError = (reason: unknown): boolean => reason instanceof DeadlineError || isTimeoutError(reason);

/**
 * Runs `work` with a signal that aborts at the deadline, or when `outerSignal` aborts. Rejects as soon as the signal
 * aborts, even if `work` ignores it.
 */
export async function withDeadline<T>(
  milliseconds: number,
  outerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const abortWithOuter = () => controller.abort(outerSignal?.reason);
  if (outerSignal?.aborted === true) abortWithOuter();
  outerSignal?.addEventListener('abort', abortWithOuter, { once: true });
  const timer = setTimeout(() => {
    controller.abort(new DeadlineError(`the request was not answered within ${milliseconds} ms`));
  }, milliseconds);
  timer.unref();
  try {
    return await Promise.race([work(signal), rejectOnAbort(signal)]);
  } finally {
    clearTimeout(timer);
    outerSignal?.removeEventListener('abort', abortWithOuter);
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
