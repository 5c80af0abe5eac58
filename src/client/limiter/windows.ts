/**
 * Computes start and end of the service's windows on this machine's clock. The service counts by its own clock, in
 * windows that start at multiples of their length (calendar minutes, UTC), unless it states another end. A limit
 * without a window applies to the calendar month.
 */

/** The service's clock is at least `low` and at most `high` milliseconds ahead of this machine's clock. */
export interface ClockBounds {
  readonly low: number;
  readonly high: number;
}

/** The initial state, in which both clocks are assumed to agree. */
export const UNKNOWN_CLOCK: ClockBounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** Usual difference between two correct clocks, in milliseconds. */
const CLOCK_TOLERANCE_MS = 50;

/**
 * Narrows the bounds of the clock offset by the `Date` of a response, which the service wrote between `sentMs` and
 * `received` (epoch ms), and truncated to seconds.
 */
export function narrowClock(clock: ClockBounds, date: number | null, sentMs: number, received: number): ClockBounds {
  if (date === null) return clock;
  const measurement = { low: date - received - CLOCK_TOLERANCE_MS, high: date + 1000 - sentMs + CLOCK_TOLERANCE_MS };
  const intersection = { low: Math.max(clock.low, measurement.low), high: Math.min(clock.high, measurement.high) };
  // If the bounds contradict each other, a clock was set between the two measurements, so only the later measurement is
  // used.
  return intersection.low <= intersection.high ? intersection : measurement;
}

/**
 * Returns the milliseconds by which the service's clock is ahead of this machine's clock; 0 if both clocks may agree.
 */
export const estimateOffset = ({ low, high }: ClockBounds): number => (low > 0 ? low : high < 0 ? high : 0);

/**
 * Returns the assumed maximum error of the offset in milliseconds, at most 1100; 0 if the clocks are assumed to agree.
 */
export const computeUncertainty = (clock: ClockBounds): number =>
  estimateOffset(clock) === 0 ? 0 : Math.min(clock.high - clock.low, 1100);

export interface QuotaWindow {
  /** Identifies the window among all windows of the same length. */
  readonly index: number;
  /** Epoch milliseconds on this machine's clock. */
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the window that contains a time.
 * @param length in milliseconds
 * @param shift the milliseconds by which windows start before multiples of their length
 */
export function findWindowAt(now: number, length: number, clock: ClockBounds, shift: number): QuotaWindow {
  const offset = estimateOffset(clock) + shift;
  const index = Math.floor((now + offset) / length);
  return { index, start: index * length - offset, end: (index + 1) * length - offset };
}

/** Maximum difference between the stated and the computed end of a window: stated ends are in whole seconds. */
const WINDOW_END_TOLERANCE_MS = 1500;

/**
 * Returns the shift with which the current window ends when the service says: `resetMs` milliseconds after `now`. Returns
 * the previous shift if it agrees with that end, or if that end is more than a window's length away. The window keeps
 * its index, and so its count.
 */
export function adjustShift(now: number, resetMs: number, length: number, clock: ClockBounds, shift: number): number {
  if (resetMs <= 0 || resetMs > length) return shift;
  const difference = findWindowAt(now, length, clock, shift).end - (now + resetMs);
  // The service may already count the next window, if this machine's clock is slightly behind.
  const agrees = [difference, difference + length].some((distance) => Math.abs(distance) <= WINDOW_END_TOLERANCE_MS);
  return agrees ? shift : shift + difference;
}

/** Returns the calendar month at the service; its index has the form `202605`. */
export function findMonthAt(now: number, clock: ClockBounds): QuotaWindow {
  const offset = estimateOffset(clock);
  const date = new Date(now + offset);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const findStart = (monthIndex: number) => Date.UTC(year, monthIndex, 1) - offset;
  return { index: year * 100 + month + 1, start: findStart(month), end: findStart(month + 1) };
}
