/**
 * Computes the time until a process reads the queue again: when about half of the entries ahead should have left. More
 * frequent reads would cost too much if many processes wait; a longer sleep would delay the entries behind.
 */

const FIRST_POLL_MS = 20;
const MIN_POLL_MS = 10;
/** Maximum interval in milliseconds for the first entries of the queue. */
const MAX_HEAD_POLL_MS = 50;
/** Maximum interval in milliseconds for all other entries. */
const MAX_POLL_MS = 2000;
/** Milliseconds by which the maximum interval grows with each entry ahead. */
const MAX_POLL_MS_PER_ENTRY = 10;

/**
 * Returns a function that computes the next interval in milliseconds from the number of entries ahead and the current
 * time (ms).
 */
export function createIntervalComputer(): (entryCount: number, now: number) => number {
  let first: { readonly entries: number; readonly at: number } | null = null;
  let intervalMs = 0;
  let previous = -1;
  return (entryCount, now) => {
    first ??= { entries: entryCount, at: now };
    const departed = first.entries - entryCount;
    if (departed <= 0) intervalMs = intervalMs === 0 ? FIRST_POLL_MS * (entryCount + 1) : intervalMs * 1.5;
    else if (entryCount === previous) intervalMs *= 1.5;
    else intervalMs = ((now - first.at) / departed) * ((entryCount + 1) / 2);
    previous = entryCount;
    const maxMs = Math.max(MAX_HEAD_POLL_MS, MAX_POLL_MS_PER_ENTRY * entryCount);
    intervalMs = Math.min(MAX_POLL_MS, maxMs, Math.max(MIN_POLL_MS, intervalMs));
    return intervalMs;
  };
}
