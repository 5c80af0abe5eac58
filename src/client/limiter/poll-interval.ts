/**
 * How long to sleep between two looks at the queue. Looking is what a crowd of waiting processes costs, so each looks
 * again when half of its way should be done, by the speed the queue has shown. But the queue may begin to move at any
 * time, and a process that sleeps then holds up all behind it: so no sleep is longer than its way takes at top speed.
 */

const FIRST_POLL_MS = 20;
const MIN_POLL_MS = 10;
/** While the queue stands still, its head looks this often, and no one less often than the longest. */
const HEAD_POLL_MS = 50;
const MAX_POLL_MS = 2000;
/** At top speed the queue moves on by one entry in so long. */
const ENTRY_MS = 10;

/** A function that returns the next sleep (ms), given how many entries must leave first and the time (ms). */
export function startPolling(): (entries: number, now: number) => number {
  let first: { readonly entries: number; readonly at: number } | null = null;
  let interval = 0;
  let last = -1;
  return (entries, now) => {
    first ??= { entries, at: now };
    const left = first.entries - entries;
    if (left <= 0) interval = interval === 0 ? FIRST_POLL_MS * (entries + 1) : interval * 1.5;
    else if (entries === last) interval *= 1.5;
    else interval = ((now - first.at) / left) * ((entries + 1) / 2);
    last = entries;
    interval = Math.min(MAX_POLL_MS, Math.max(HEAD_POLL_MS, ENTRY_MS * entries), Math.max(MIN_POLL_MS, interval));
    return interval;
  };
}
