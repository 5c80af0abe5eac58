/** The windows that requests are counted in: calendar minutes and calendar months, UTC. */

const MINUTE_MS = 60_000;

/** Names a minute: its number since 1970. */
export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS);
}

/** Names a month: `2026-11`. A month begins with a minute, so one name does for all of the minute. */
export function monthOf(now: number): string {
  const minute = minuteOf(now);
  if (minute !== named.minute) named = { minute, month: new Date(now).toISOString().slice(0, 7) };
  return named.month;
}

let named = { minute: Number.NaN, month: '' };

/** Whole seconds until the minute ends, 1 to 60. */
export function secondsOfMinute(now: number): number {
  return secondsUntil((minuteOf(now) + 1) * MINUTE_MS, now);
}

/** Whole seconds until the first of next month, at least 1. */
export function secondsOfMonth(now: number): number {
  const date = new Date(now);
  return secondsUntil(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1), now);
}

function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1000));
}
