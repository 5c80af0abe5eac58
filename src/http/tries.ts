/** Counts the tries of one request and the waits between them; the caller decides whether to try again, and when. */
import { sleep } from '../platform/sleep.ts';

export class Tries {
  /** Failed tries since the last that brought something. */
  count = 0;
  /** All failed tries. */
  all = 0;
  /** What all waits have taken, and the last one (ms). */
  waited = 0;
  previous = 0;

  /** A try that brought much does not count as failed. */
  progressed(): void {
    this.count = 0;
  }

  /** Counts a failed try, and waits before the next. Rejects with the signal's reason. */
  async wait(ms: number, signal: AbortSignal | null): Promise<void> {
    this.count += 1;
    this.all += 1;
    this.waited += ms;
    this.previous = ms;
    await sleep(ms, signal);
  }
}
