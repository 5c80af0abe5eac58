/** Bounds the time of one response, and stops the work when it is over. */

/** What {@link withDeadline} rejects with, by name. */
export const DEADLINE = 'DeadlineError';

/**
 * Runs `work` with a signal that aborts at the deadline, or when `outer` does. Rejects as soon as the signal
 * aborts, whether or not the work has noticed.
 */
export async function withDeadline<T>(
  milliseconds: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = () => controller.abort(outer?.reason);
  if (outer?.aborted === true) stop();
  outer?.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => {
    const error = new Error(`not answered within ${milliseconds} ms`);
    error.name = DEADLINE;
    controller.abort(error);
  }, milliseconds);
  timer.unref();
  try {
    return await Promise.race([work(signal), aborted(signal)]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
