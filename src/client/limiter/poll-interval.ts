/**
 * How long to wait before looking again whether one's turn has come. Looking is what a crowd of waiting
 * processes costs, so each looks when half of its way should be done, by the pace the line has shown.
 * But the line may begin to move at any time, and whoever is then asleep holds up all behind it: so the
 * longest sleep is what the places before it take at the fastest.
 */

const FIRST = 20;
const LEAST = 10;
/** While the line stands, its head looks as often as this, and nobody more seldom than that. */
const NEAR = 50;
const FAR = 2000;
/** At the fastest, the line moves by a place in so long. */
const PLACE = 10;

/** Says, place by place and time by time (ms), how long to sleep. `over` is how many must go before. */
export function startPolling(): (over: number, now: number) => number {
  let first: { readonly over: number; readonly at: number } | null = null;
  let pause = 0;
  let last = -1;
  return (over, now) => {
    first ??= { over, at: now };
    const gone = first.over - over;
    if (gone <= 0) pause = pause === 0 ? FIRST * (over + 1) : pause * 1.5;
    else if (over === last) pause *= 1.5;
    else pause = ((now - first.at) / gone) * ((over + 1) / 2);
    last = over;
    pause = Math.min(FAR, Math.max(NEAR, PLACE * over), Math.max(LEAST, pause));
    return pause;
  };
}
