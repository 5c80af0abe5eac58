/** The windows that requests are counted in: calendar minutes (or even parts of one) and calendar months, UTC. */

/** Names a window of so many seconds: its number since 1970. */
export function windowOf(now: number, seconds: number): number {
  return Math.floor(now / (seconds * 1000));
}

/** Names a month: `2026-11`. A month begins with a minute, so one name does for all of the minute. */
export function monthOf(now: number): string {
  const minute = windowOf(now, 60);
  if (minute !== named.minute) named = { minute, month: new Date(now).toISOString().slice(0, 7) };
  return named.month;
}

let named = { minute: Number.NaN, month: '' };

/** Whole seconds until the window ends, 1 to its length. */
export function secondsOfWindow(now: number, seconds: number): number {
  return secondsUntil((windowOf(now, seconds) + 1) * seconds * 1000, now);
}

/** Whole seconds until the first of next month, at least 1. */
export function secondsOfMonth(now: number): number {
  const date = new Date(now);
  return secondsUntil(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1), now);
}

function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1000));
}
