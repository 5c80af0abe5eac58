/** Limits how much work runs and waits at the same time, so that hundreds of calls take limited memory. */
import { setMaxListeners } from 'node:events';
import { Failure } from '../../contract/failure.ts';

export type Gate = <T>(work: () => Promise<T>, signal: AbortSignal | null) => Promise<T>;

/**
 * Returns a function that runs work when a slot is free. The function throws a limit Failure if too much work is
 * waiting, and the signal's reason if the work is no longer needed.
 */
export function createGate(maxRunning: number, maxWaiting: number): Gate {
  let free = maxRunning;
  const queue = new Set<() => void>();
  return async (work, signal) => {
    if (free > 0) free -= 1;
    else if (queue.size >= maxWaiting) {
      throw new Failure('limit', `Too many requests: ${maxWaiting} are waiting already.`, {
        hint: 'Wait for their responses, then try again.',
      });
    } else await joinQueue(queue, signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      // Passes the slot directly to the next waiting work; the slot becomes free only if no work is waiting.
      const [admitNext] = queue;
      if (admitNext === undefined) free += 1;
      else {
        queue.delete(admitNext);
        admitNext();
      }
    }
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
