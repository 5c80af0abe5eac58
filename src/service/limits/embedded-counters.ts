/** Counters of one process: minutes and slots in memory, months on the disk. */
import { monthOf, windowOf } from './calendar.ts';
import { type Claim, type Counters, refusedClaim, type Usage, violations } from './counters.ts';
import { openMonthFiles } from './month-files.ts';

interface Tally {
  /** How long its windows are. */
  readonly seconds: number;
  minute: number;
  minuteCount: number;
  month: string;
  monthCount: number;
  running: number;
}

/** Accounts whose last window is over are forgotten when there are more than this. */
const ACCOUNTS_MAX = 10_000;

/** @param directory where the months' counts are kept */
export function embeddedCounters(directory: string, clock: () => number): Counters {
  const months = openMonthFiles(directory, monthOf(clock()));
  const tallies = new Map<string, Tally>();

  function tallyOf(account: string, now: number, seconds: number): Tally {
    const [minute, month] = [windowOf(now, seconds), monthOf(now)];
    let tally = tallies.get(account);
    if (tally === undefined) {
      forgetQuiet(now);
      tally = { seconds, minute, minuteCount: 0, month, monthCount: months.read(account, month), running: 0 };
      tallies.set(account, tally);
    }
    if (tally.minute !== minute) Object.assign(tally, { minute, minuteCount: 0 });
    if (tally.month !== month) Object.assign(tally, { month, monthCount: months.read(account, month) });
    return tally;
  }

  function forgetQuiet(now: number): void {
    if (tallies.size < ACCOUNTS_MAX) return;
    for (const [account, tally] of tallies) {
      if (tally.running === 0 && tally.minute !== windowOf(now, tally.seconds)) tallies.delete(account);
    }
  }

  return {
    async claim(account, limits): Promise<Claim> {
      const now = clock();
      const tally = tallyOf(account, now, limits.seconds);
      const violated = violations(usageOf(tally), limits);
      if (violated.length > 0) return refusedClaim(violated, usageOf(tally), now);
      const { minute, month } = tally;
      tally.minuteCount += 1;
      tally.monthCount += 1;
      tally.running += 1;
      return {
        violated,
        usage: usageOf(tally),
        now,
        keep: async () => months.add(account, month),
        refund: async () => {
          // A window that has ended since has forgotten the request already.
          if (tally.minute === minute) tally.minuteCount -= 1;
          if (tally.month === month) tally.monthCount -= 1;
          return usageOf(tally);
        },
        finish: () => {
          tally.running -= 1;
        },
      };
    },
    close: async () => months.close(),
  };
}

function usageOf(tally: Tally): Usage {
  return { minute: tally.minuteCount, month: tally.monthCount, concurrent: tally.running };
}
