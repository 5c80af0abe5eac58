/**
 * Decides how long to sleep between two reads of the queue. Reads are the cost of a crowd of waiting processes, so
 * each process reads again when half of its way should be done at the queue's observed speed. But the queue may start
 * to move at any time, and a sleeping process delays all after it: so no sleep is longer than the way at top speed.
 */

const FIRST_POLL_MS = 20;
const MIN_POLL_MS = 10;
/** While the queue does not move, the interval of its head, and the maximum interval of the others. */
const HEAD_POLL_MS = 50;
const MAX_POLL_MS = 2000;
/** Time per entry at top speed. */
const MS_PER_ENTRY = 10;

/** Returns a function that computes the next sleep (ms) from the number of entries ahead and the time (ms). */
export function startPolling(): (entries: number, now: number) => number {
  let firstSample: { readonly entries: number; readonly at: number } | null = null;
  let intervalMs = 0;
  let lastEntries = -1;
  return (entries, now) => {
    firstSample ??= { entries, at: now };
    const passedEntries = firstSample.entries - entries;
    if (passedEntries <= 0) intervalMs = intervalMs === 0 ? FIRST_POLL_MS * (entries + 1) : intervalMs * 1.5;
    else if (entries === lastEntries) intervalMs *= 1.5;
    else intervalMs = ((now - firstSample.at) / passedEntries) * ((entries + 1) / 2);
    lastEntries = entries;
    intervalMs = Math.min(
      MAX_POLL_MS,
      Math.max(HEAD_POLL_MS, MS_PER_ENTRY * entries),
      Math.max(MIN_POLL_MS, intervalMs),
    );
    return intervalMs;
  };
}
