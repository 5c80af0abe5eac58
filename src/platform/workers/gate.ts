/** Limits how much work runs and waits at the same time, so that hundreds of calls take limited memory. */
import { setMaxListeners } from 'node:events';
import { Failure } from '../../contract/failure.ts';

export type Gate = <T>(work: () => Promise<T>, signal: AbortSignal | null) => Promise<T>;

/**
 * Returns a function that runs work when a slot is free. The function throws a limit Failure if too much work is
 * waiting, and the signal's reason if the work is no longer needed.
 */
export function createGate(maxRunning: number, maxWaiting: number): Gate {
  const slots = createSlots(() => maxRunning, maxWaiting);
  return async (work, signal) => {
    await slots.enter(signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      slots.leave();
    }
  };
}

/**
 * Returns a limited number of slots, which waiting callers get in the order of their calls.
 * @param readMax returns the current number of slots
 */
export function createSlots(readMax: () => number, maxWaiting = Number.POSITIVE_INFINITY) {
  let takenCount = 0;
  const queue = new Set<() => void>();
  return {
    /** Resolves when the caller has a slot. Throws a limit Failure, or the signal's reason if the signal aborts. */
    async enter(signal: AbortSignal | null): Promise<void> {
      signal?.throwIfAborted();
      if (takenCount < readMax()) takenCount += 1;
      else if (queue.size >= maxWaiting) {
        const hint = 'Wait for their responses, then try again.';
        throw new Failure('limit', `Too many requests: ${maxWaiting} are waiting already.`, { hint });
      } else await joinQueue(queue, signal);
    },
    /** Passes the slot directly to the next waiting caller, so that no new caller can take its turn. */
    leave(): void {
      const [admitNext] = queue;
      if (admitNext === undefined) takenCount -= 1;
      else {
        queue.delete(admitNext);
        admitNext();
      }
    },
  };
}

/** Resolves when the work gets a slot. Work that is no longer needed leaves the queue immediately. */
const joinQueue = (queue: Set<() => void>, signal: AbortSignal | null): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted();
    const takeSlot = () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      queue.delete(takeSlot);
      reject(signal?.reason);
    };
    queue.add(takeSlot);
    // Many calls may wait with the same signal. By default, Node.js prints a warning about more than ten listeners.
    if (signal !== null) setMaxListeners(0, signal);
    signal?.addEventListener('abort', leave, { once: true });
  });

/**
 * Resolves like the promise, or rejects if the signal aborts first. Does not use Promise.race, which would keep every
 * result in memory while the signal's promise is pending.
 */
export const rejectOnAbort = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });

/** Runs the work on all items, `count` at a time. After a failure, no further item is started. */
export async function runWorkers<T>(count: number, items: readonly T[], work: (item: T) => Promise<void>) {
  const iterator = items[Symbol.iterator]();
  let hasFailed = false;
  const runWorker = async () => {
    for (const item of iterator) {
      if (hasFailed) return;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: count }, runWorker));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
