import { setTimeout as wait } from 'node:timers/promises';

/** Resolves after `ms` milliseconds; rejects with the signal's own reason as soon as it is aborted. */
export async function sleep(ms: number, signal: AbortSignal | null = null): Promise<void> {
  try {
    await wait(ms, undefined, signal === null ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
