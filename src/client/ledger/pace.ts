/**
 * How long to wait before looking again whether one's turn has come. Looking is what a crowd of waiting
 * processes costs, so each looks when half of its way should be done, by the pace the line has shown.
 */

const FIRST = 20;
const LEAST = 10;
/** While the line stands, those at its head look as often as this, the others as seldom. */
const NEAR = 100;
const FAR = 2000;

/** Says, place by place and time by time (ms), how long to sleep. `over` is how many must go before. */
export function startPace(): (over: number, now: number) => number {
  let first: { readonly over: number; readonly at: number } | null = null;
  let pause = 0;
  let last = -1;
  return (over, now) => {
    first ??= { over, at: now };
    const gone = first.over - over;
    const most = over < 4 ? NEAR : FAR;
    if (gone <= 0) pause = pause === 0 ? FIRST * (over + 1) : pause * 1.5;
    else if (over === last) pause *= 1.5;
    else pause = ((now - first.at) / gone) * ((over + 1) / 2);
    last = over;
    pause = Math.min(most, Math.max(LEAST, pause));
    return pause;
  };
}
