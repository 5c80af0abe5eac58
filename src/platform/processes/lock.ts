/** Lets one process at a time in. Processes wait in a queue, so each gets its turn and a killed holder blocks no other. */

import { sleep } from '../sleep.ts';
import { joinQueue } from './queue.ts';
import { diskFiles } from './shared-files.ts';

export interface LockOptions {
  readonly signal?: AbortSignal;
  /** Called once, when another process holds the lock. */
  readonly onWait?: () => void;
  /** How often a waiting process looks again. */
  readonly pollMs?: number;
}

const HEARTBEAT_MS = 10_000;
const POLL_MS = 250;
/** A critical section that waits for nothing is over in a moment. */
const SHORT_POLL_MS = 5;

/** Waits until no other process holds the named lock of the directory; returns what releases it. */
export async function acquireLock(directory: string, name: string, options: LockOptions = {}): Promise<() => void> {
  const { signal, onWait, pollMs = POLL_MS } = options;
  const files = diskFiles(directory);
  let reported = false;
  for (;;) {
    const place = joinQueue(files, name);
    const heartbeat = setInterval(() => place.heartbeat(), HEARTBEAT_MS);
    heartbeat.unref();
    const release = () => {
      clearInterval(heartbeat);
      place.release(false);
    };
    try {
      for (let position = place.position(); position !== null; position = place.position()) {
        if (position.ahead === 0) return release;
        if (!reported) onWait?.();
        reported = true;
        await sleep(pollMs, signal);
      }
    } catch (error) {
      release();
      throw error;
    }
    // This process was stopped for so long that its place was given away.
    release();
  }
}

/** Runs `work`, which must not wait for anything, while no other process holds the directory's lock. */
export async function withLock<T>(directory: string, work: () => T): Promise<T> {
  const release = await acquireLock(directory, '.lock', { pollMs: SHORT_POLL_MS });
  try {
    return work();
  } finally {
    release();
  }
}
