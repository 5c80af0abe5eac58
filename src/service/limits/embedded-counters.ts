/** Counters of one process: minutes and slots in memory, months on the disk. */
import { monthOf, windowOf } from './calendar.ts';
import { type Claim, type Counters, refusedClaim, type Usage, violations } from './counters.ts';
import { openMonthFiles } from './month-files.ts';

/** The counts of one account. */
interface Counts {
  /** Length of its windows. */
  readonly seconds: number;
  minute: number;
  minuteCount: number;
  month: string;
  monthCount: number;
  running: number;
}

/** When there are more accounts than this, those whose last window is over are forgotten. */
const ACCOUNTS_MAX = 10_000;

/** @param directory for the files with the months' counts */
export function embeddedCounters(directory: string, clock: () => number): Counters {
  const months = openMonthFiles(directory, monthOf(clock()));
  const accounts = new Map<string, Counts>();

  function countsOf(account: string, now: number, seconds: number): Counts {
    const [minute, month] = [windowOf(now, seconds), monthOf(now)];
    let counts = accounts.get(account);
    if (counts === undefined) {
      forgetIdle(now);
      counts = { seconds, minute, minuteCount: 0, month, monthCount: months.read(account, month), running: 0 };
      accounts.set(account, counts);
    }
    if (counts.minute !== minute) Object.assign(counts, { minute, minuteCount: 0 });
    if (counts.month !== month) Object.assign(counts, { month, monthCount: months.read(account, month) });
    return counts;
  }

  function forgetIdle(now: number): void {
    if (accounts.size < ACCOUNTS_MAX) return;
    for (const [account, counts] of accounts) {
      if (counts.running === 0 && counts.minute !== windowOf(now, counts.seconds)) accounts.delete(account);
    }
  }

  return {
    async claim(account, limits): Promise<Claim> {
      const now = clock();
      const counts = countsOf(account, now, limits.seconds);
      const violated = violations(usageOf(counts), limits);
      if (violated.length > 0) return refusedClaim(violated, usageOf(counts), now);
      const { minute, month } = counts;
      counts.minuteCount += 1;
      counts.monthCount += 1;
      counts.running += 1;
      return {
        violated,
        usage: usageOf(counts),
        now,
        keep: async () => months.add(account, month),
        refund: async () => {
          // A window that has ended since has forgotten the request already.
          if (counts.minute === minute) counts.minuteCount -= 1;
          if (counts.month === month) counts.monthCount -= 1;
          return usageOf(counts);
        },
        finish: () => {
          counts.running -= 1;
        },
      };
    },
    close: async () => months.close(),
  };
}

function usageOf(counts: Counts): Usage {
  return { minute: counts.minuteCount, month: counts.monthCount, concurrent: counts.running };
}
