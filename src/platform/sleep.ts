import { setTimeout as wait } from 'node:timers/promises';

/** Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as the signal aborts. */
export async function sleep(ms: number, signal: AbortSignal | null = null): Promise<void> {
  try {
    await wait(ms, undefined, signal === null ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
