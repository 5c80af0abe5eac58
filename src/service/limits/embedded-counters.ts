/** Counters of one process: minutes and slots in memory, months on disk. */
import { closeSync, fstatSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../platform/directories.ts';
import { type Claim, type Counters, findViolations, monthOf, refusedClaim, type Usage, windowOf } from './counters.ts';

/** The counts of one account. */
interface AccountCounts {
  /** Length of its windows, in seconds. */
  readonly seconds: number;
  minute: number;
  minuteCount: number;
  month: string;
  monthCount: number;
  running: number;
}

/** Number of accounts above which those without a current window are removed. */
const MAX_ACCOUNTS = 10_000;

/** @param directory for the files with monthly counts */
export function createEmbeddedCounters(directory: string, clock: () => number): Counters {
  const months = openMonthFiles(directory, monthOf(clock()));
  const accounts = new Map<string, AccountCounts>();

  function countsOf(account: string, now: number, seconds: number): AccountCounts {
    const [minute, month] = [windowOf(now, seconds), monthOf(now)];
    let counts = accounts.get(account);
    if (counts === undefined) {
      removeIdleAccounts(now);
      counts = { seconds, minute, minuteCount: 0, month, monthCount: months.read(account, month), running: 0 };
      accounts.set(account, counts);
    }
    if (counts.minute !== minute) Object.assign(counts, { minute, minuteCount: 0 });
    if (counts.month !== month) Object.assign(counts, { month, monthCount: months.read(account, month) });
    return counts;
  }

  function removeIdleAccounts(now: number): void {
    if (accounts.size < MAX_ACCOUNTS) return;
    for (const [account, counts] of accounts) {
      if (counts.running === 0 && counts.minute !== windowOf(now, counts.seconds)) accounts.delete(account);
    }
  }

  return {
    async claim(account, limits): Promise<Claim> {
      const now = clock();
      const counts = countsOf(account, now, limits.seconds);
      const violated = findViolations(usageOf(counts), limits);
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
          // If the window has ended in the meantime, the request is no longer counted.
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

function usageOf(counts: AccountCounts): Usage {
  return { minute: counts.minuteCount, month: counts.monthCount, concurrent: counts.running };
}

/**
 * Counts that survive the process: one file per account and month, one byte per request. The size of the file is the
 * count, and since bytes are only appended, a killed process has counted whole requests only.
 */
interface MonthFiles {
  read(account: string, month: string): number;
  /** Resolves when the request is written, together with others added at the same time. */
  add(account: string, month: string): Promise<void>;
  close(): void;
}

const MAX_OPEN_FILES = 256;
const MONTH_PATTERN = /^\d{4}-\d{2}$/;
const MARK = '.';

/** @param directory created if missing; months older than the previous one are removed from it */
export function openMonthFiles(directory: string, month: string): MonthFiles {
  makeDirectory(directory, 0o700);
  const previousMonth = monthOf(Date.parse(`${month}-01T00:00:00Z`) - 1);
  for (const name of readdirSync(directory)) {
    if (MONTH_PATTERN.test(name) && name < previousMonth) rmSync(join(directory, name), { recursive: true });
  }
  const openDescriptors = new Map<string, number>();
  /** Number of bytes that remain to be written, by descriptor. */
  const dueBytes = new Map<number, number>();
  let pendingWrite: Promise<void> | null = null;

  /** Bytes that cannot be written remain due, and are retried with the next ones. */
  function writeDue(): void {
    for (const [descriptor, count] of dueBytes) {
      writeSync(descriptor, MARK.repeat(count));
      dueBytes.delete(descriptor);
    }
  }

  function writeSoon(): Promise<void> {
    return new Promise((resolve, reject) => {
      process.nextTick(() => {
        pendingWrite = null;
        try {
          resolve(writeDue());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  function descriptorOf(account: string, month: string): number {
    const name = `${month}/${account}`;
    const openDescriptor = openDescriptors.get(name);
    if (openDescriptor !== undefined) return openDescriptor;
    if (openDescriptors.size >= MAX_OPEN_FILES) writeDue();
    for (const [oldest, descriptor] of openDescriptors) {
      if (openDescriptors.size < MAX_OPEN_FILES) break;
      closeSync(descriptor);
      openDescriptors.delete(oldest);
    }
    makeDirectory(join(directory, month), 0o700);
    const descriptor = openSync(join(directory, month, account), 'a', 0o600);
    openDescriptors.set(name, descriptor);
    return descriptor;
  }

  return {
    read: (account, month) => {
      const descriptor = descriptorOf(account, month);
      return fstatSync(descriptor).size + (dueBytes.get(descriptor) ?? 0);
    },
    add(account, month) {
      const descriptor = descriptorOf(account, month);
      dueBytes.set(descriptor, (dueBytes.get(descriptor) ?? 0) + 1);
      pendingWrite ??= writeSoon();
      return pendingWrite;
    },
    close: () => {
      writeDue();
      for (const descriptor of openDescriptors.values()) closeSync(descriptor);
      openDescriptors.clear();
    },
  };
}
