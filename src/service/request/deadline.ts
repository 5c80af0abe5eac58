/** Limits the time in which a response must be ready. */

import { isTimeoutError } from '../../platform/files/system-error.ts';
import { rejectOnAbort } from '../../platform/workers/gate.ts';

/** Thrown when a response has taken the maximum time. */
class DeadlineError extends Error {}

/**
 * Whether an abort reason means that a deadline has passed, set by {@link withDeadline} or by `AbortSignal.timeout`.
 */
export const isDeadlineError = (reason: unknown): boolean => reason instanceof DeadlineError || isTimeoutError(reason);

/**
 * Runs `work` with a signal that aborts at the deadline, or when `outer` aborts. Rejects as soon as the signal
 * aborts, even if `work` ignores it.
 */
export async function withDeadline<T>(
  milliseconds: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(outer?.reason);
  if (outer?.aborted === true) abort();
  outer?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => {
    controller.abort(new DeadlineError(`the request was not answered within ${milliseconds} ms`));
  }, milliseconds);
  timer.unref();
  try {
    return await rejectOnAbort(work(signal), signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}
