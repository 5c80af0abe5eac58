/**
 * Start and end of the service's windows on this machine's clock. Pure.
 * The service counts by its own clock, in windows that start at multiples of their length (calendar minutes, UTC); a
 * limit without a window is for the calendar month.
 */

/** The offset of the service's clock: ahead of this machine's by at least `low` and at most `high` ms. */
export interface Clock {
  readonly low: number;
  readonly high: number;
}

/** The initial state: the clocks are assumed to agree. */
export const UNKNOWN_CLOCK: Clock = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** Usual difference between correct clocks (ms). */
const TOLERANCE_MS = 50;

/**
 * Returns the offset after a response's `Date`, which is truncated to the second and was written after the request
 * was sent and before the response arrived.
 */
export function learnClock(clock: Clock, date: number | null, sent: number, received: number): Clock {
  if (date === null) return clock;
  const measuredClock = { low: date - received - TOLERANCE_MS, high: date + 1000 - sent + TOLERANCE_MS };
  const narrowedClock = { low: Math.max(clock.low, measuredClock.low), high: Math.min(clock.high, measuredClock.high) };
  // A contradiction means that a clock was set in between: then the later range is used.
  return narrowedClock.low <= narrowedClock.high ? narrowedClock : measuredClock;
}

/** Returns how far (ms) the service's clock is ahead of this machine's; 0 if the two may agree. */
export function offsetOf({ low, high }: Clock): number {
  return low > 0 ? low : high < 0 ? high : 0;
}

/** Returns the maximum error of the offset (ms). */
export function uncertaintyOf(clock: Clock): number {
  return offsetOf(clock) === 0 ? 0 : Math.min(clock.high - clock.low, 1100);
}

export interface Window {
  /** Identifies it among all windows of its length. */
  readonly index: number;
  /** On this machine's clock (epoch ms). */
  readonly start: number;
  readonly end: number;
}

/** @param length in milliseconds */
export function windowAt(now: number, length: number, clock: Clock): Window {
  const offset = offsetOf(clock);
  const index = Math.floor((now + offset) / length);
  return { index, start: index * length - offset, end: (index + 1) * length - offset };
}

/** Returns the calendar month at the service; its index is like `202605`. */
export function monthAt(now: number, clock: Clock): Window {
  const offset = offsetOf(clock);
  const date = new Date(now + offset);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    index: year * 100 + month + 1,
    start: Date.UTC(year, month, 1) - offset,
    end: Date.UTC(year, month + 1, 1) - offset,
  };
}
