/** Bounds how many pieces of work run and wait at a time, so that hundreds of calls at once take bounded memory. */
import { Failure } from '../contract/failure.ts';

export type Gate = <T>(work: () => Promise<T>, signal: AbortSignal | null) => Promise<T>;

/** Throws a limit Failure where too many wait, and the signal's reason where the work is no longer wanted. */
export function createGate(running: number, waiting: number): Gate {
  let free = running;
  const queue: (() => void)[] = [];
  return async (work, signal) => {
    if (free > 0) free -= 1;
    else if (queue.length >= waiting) {
      throw new Failure('limit', `More than ${waiting} requests wait already.`, {
        hint: 'Wait for answers, then ask again.',
      });
    } else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      // The place goes to the next in the queue, and is free only without one.
      const next = queue.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
