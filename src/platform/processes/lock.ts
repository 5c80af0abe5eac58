/**
 * A lock that one process at a time can hold. Waiting processes form a queue; a killed holder does not block the
 * waiting processes.
 */

import { sleep } from '../builtins/loaded-on-use.ts';
import { joinQueue } from './queue.ts';
import { openDiskFiles } from './shared-files.ts';

interface LockOptions {
  readonly signal?: AbortSignal;
  /** Called once if another process holds the lock. */
  readonly onWait?: () => void;
  /** Interval in milliseconds at which a waiting process checks again. */
  readonly pollMs?: number;
}

const HEARTBEAT_MS = 10_000;
const POLL_MS = 250;
/** Poll interval in milliseconds for synchronous work, which ends quickly. */
const SHORT_POLL_MS = 5;

/** Waits until no other process holds the directory's named lock. Returns a function that releases the lock. */
export async function acquireLock(folder: string, name: string, options: LockOptions = {}): Promise<() => void> {
  const { signal, onWait, pollMs = POLL_MS } = options;
  const files = openDiskFiles(folder);
  let isReported = false;
  for (;;) {
    const place = joinQueue(files, name);
    const timer = setInterval(() => place.heartbeat(), HEARTBEAT_MS);
    timer.unref();
    const release = () => {
      clearInterval(timer);
      place.release(false);
    };
    try {
      for (let position = place.findPosition(); position !== null; position = place.findPosition()) {
        if (position.aheadCount === 0) return release;
        if (!isReported) onWait?.();
        isReported = true;
        await sleep(pollMs, signal);
      }
    } catch (error) {
      release();
      throw error;
    }
    // Joins again: the process was stopped for so long that another process took its place in the queue.
    release();
  }
}

/** Runs `work`, which must be synchronous, while this process holds the directory's lock. */
export async function withLock<T>(folder: string, work: () => T): Promise<T> {
  const release = await acquireLock(folder, '.lock', { pollMs: SHORT_POLL_MS });
  try {
    return work();
  } finally {
    release();
  }
}
