/** Lets concurrent requests for the same answer share one computation. */

/**
 * Returns the result of the computation with this key; begins the computation unless it is in progress. The signal of
 * the computation aborts once the signals of all callers have aborted, with the reason of the last one.
 */
export type ShareWork<T> = (key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>) => Promise<T>;

interface SharedWork<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiterCount: number;
}

export function createWorkSharer<T>(): ShareWork<T> {
  const pending = new Map<string, SharedWork<T>>();

  function beginWork(key: string, begin: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
    const controller = new AbortController();
    const result = begin(controller.signal).finally(() => {
      if (pending.get(key) === shared) pending.delete(key);
    });
    // The callers handle the rejection; this handler only prevents an unhandled rejection.
    result.catch(() => undefined);
    const shared: SharedWork<T> = { result, controller, waiterCount: 0 };
    pending.set(key, shared);
    return shared;
  }

  return (key, signal, begin) => {
    const shared = pending.get(key) ?? beginWork(key, begin);
    shared.waiterCount += 1;
    const stopWaiting = () => {
      shared.waiterCount -= 1;
      if (shared.waiterCount > 0) return;
      // Removes the computation before aborting it, so that a later request with the same key starts a new computation.
      if (pending.get(key) === shared) pending.delete(key);
      shared.controller.abort(signal.reason);
    };
    signal.addEventListener('abort', stopWaiting, { once: true });
    return shared.result.finally(() => signal.removeEventListener('abort', stopWaiting));
  };
}
