/** The windows that requests are counted in: calendar minutes (or even parts of one) and calendar months, UTC. */

/** Names a window of so many seconds: its number since 1970. */
export function windowOf(now: number, seconds: number): number {
  return Math.floor(now / (seconds * 1000));
}

/** Names a month: `2026-11`. */
export function monthOf(now: number): string {
  return monthAt(now).name;
}

/** Whole seconds until the window ends, 1 to its length. */
export function secondsOfWindow(now: number, seconds: number): number {
  return secondsUntil((windowOf(now, seconds) + 1) * seconds * 1000, now);
}

/** Whole seconds until the first of next month, at least 1. */
export function secondsOfMonth(now: number): number {
  return secondsUntil(monthAt(now).end, now);
}

/** Computed once a minute: a month begins with a minute. */
function monthAt(now: number): typeof latest {
  const minute = windowOf(now, 60);
  if (minute !== latest.minute) {
    const date = new Date(now);
    const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    latest = { minute, name: date.toISOString().slice(0, 7), end };
  }
  return latest;
}

let latest = { minute: Number.NaN, name: '', end: Number.NaN };

function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1000));
}
