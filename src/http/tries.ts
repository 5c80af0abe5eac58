/** Counts the attempts of one request and the waits between them; the caller decides whether to repeat, and when. */
import { sleep } from '../platform/sleep.ts';

export class Tries {
  /** Number of failed attempts since the last progress. */
  count = 0;
  /** Number of all failed attempts. */
  all = 0;
  /** Total of all waits, and the last one (ms). */
  waited = 0;
  previous = 0;

  /** An attempt with much progress does not count as failed. */
  progressed(): void {
    this.count = 0;
  }

  /** Counts a failed attempt, and waits before the next. Rejects with the signal's reason. */
  async wait(ms: number, signal: AbortSignal | null): Promise<void> {
    this.count += 1;
    this.all += 1;
    this.waited += ms;
    this.previous = ms;
    await sleep(ms, signal);
  }
}
