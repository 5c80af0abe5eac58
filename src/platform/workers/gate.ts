/** Bounds how many pieces of work run and wait at a time, so that hundreds of calls at once take bounded memory. */
import { Failure } from '../../contract/failure.ts';

export type Gate = <T>(work: () => Promise<T>, signal: AbortSignal | null) => Promise<T>;

/** Throws a limit Failure where too many wait, and the signal's reason where the work is no longer wanted. */
export function createGate(running: number, waiting: number): Gate {
  let free = running;
  const queue = new Set<() => void>();
  return async (work, signal) => {
    if (free > 0) free -= 1;
    else if (queue.size >= waiting) {
      throw new Failure('limit', `More than ${waiting} requests wait already.`, {
        hint: 'Wait for answers, then ask again.',
      });
    } else await joinQueue(queue, signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      // The place goes to the next in the queue, and is free only without one.
      const [next] = queue;
      if (next === undefined) free += 1;
      else {
        queue.delete(next);
        next();
      }
    }
  };
}

/** Resolves when the place is given to this one; work that is no longer wanted leaves the queue at once. */
function joinQueue(queue: Set<() => void>, signal: AbortSignal | null): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted();
    const enter = () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      queue.delete(enter);
      reject(signal?.reason);
    };
    queue.add(enter);
    signal?.addEventListener('abort', leave, { once: true });
  });
}
