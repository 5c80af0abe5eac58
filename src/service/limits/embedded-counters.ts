/** Counters of one process: requests per minute and running requests in memory, requests per month on disk. */
import { closeSync, fstatSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../platform/files/directories.ts';
import { type Claim, type Counters, findExceeded, formatMonth, refuseClaim, type Usage, windowAt } from './counters.ts';

interface AccountCounts {
  /** Length of the account's windows, in seconds. */
  readonly seconds: number;
  /** Index of the window in which `minuteCount` requests were counted. */
  minute: number;
  minuteCount: number;
  month: string;
  monthCount: number;
  running: number;
}

/** Maximum number of accounts in memory before accounts without requests in the current window are removed. */
const MAX_ACCOUNTS = 10_000;

/** @param folder contains the files with monthly counts */
export function createEmbeddedCounters(folder: string, clock: () => number): Counters {
  const monthFiles = openMonthFiles(folder, formatMonth(clock()));
  const accounts = new Map<string, AccountCounts>();

  function findCounts(account: string, now: number, seconds: number): AccountCounts {
    const [minute, month] = [windowAt(now, seconds), formatMonth(now)];
    let counts = accounts.get(account);
    if (counts === undefined) {
      removeIdleAccounts(now);
      counts = { seconds, minute, minuteCount: 0, month, monthCount: monthFiles.read(account, month), running: 0 };
      accounts.set(account, counts);
    }
    if (counts.minute !== minute) Object.assign(counts, { minute, minuteCount: 0 });
    if (counts.month !== month) Object.assign(counts, { month, monthCount: monthFiles.read(account, month) });
    return counts;
  }

  function removeIdleAccounts(now: number): void {
    if (accounts.size < MAX_ACCOUNTS) return;
    for (const [account, counts] of accounts) {
      if (counts.running === 0 && counts.minute !== windowAt(now, counts.seconds)) accounts.delete(account);
    }
  }

  return {
    async claim(account, limits): Promise<Claim> {
      const now = clock();
      const counts = findCounts(account, now, limits.seconds);
      const violated = findExceeded(toUsage(counts), limits);
      if (violated.length > 0) return refuseClaim(violated, toUsage(counts), now);
      const { minute, month } = counts;
      counts.minuteCount += 1;
      counts.monthCount += 1;
      counts.running += 1;
      return {
        violated,
        usage: toUsage(counts),
        now,
        keep: async () => monthFiles.add(account, month),
        refund: async () => {
          // Subtracts the request only if the count includes the request: each new window or month has a new count.
          if (counts.minute === minute) counts.minuteCount -= 1;
          if (counts.month === month) counts.monthCount -= 1;
          return toUsage(counts);
        },
        finish: () => {
          counts.running -= 1;
        },
      };
    },
    close: async () => monthFiles.close(),
  };
}

const toUsage = (counts: AccountCounts): Usage => ({
  minute: counts.minuteCount,
  month: counts.monthCount,
  concurrent: counts.running,
});

const MAX_OPEN_FILES = 256;
const MONTH_PATTERN = /^\d{4}-\d{2}$/;
const REQUEST_BYTE = '.';

/**
 * Monthly counts that survive the process: one file per account and month, with one byte per request, so that the file
 * size is the count. Bytes are only appended, so that a killed process leaves no partly written count.
 * @param folder created if missing; files of months before the previous month are deleted from it
 */
export function openMonthFiles(folder: string, month: string) {
  makeDirectory(folder, 0o700);
  const previous = formatMonth(Date.parse(`${month}-01T00:00:00Z`) - 1);
  for (const name of readdirSync(folder)) {
    if (MONTH_PATTERN.test(name) && name < previous) rmSync(join(folder, name), { recursive: true });
  }
  const descriptors = new Map<string, number>();
  /** Number of bytes still to be written, by file descriptor. */
  const due = new Map<number, number>();
  let writing: Promise<void> | null = null;

  /** Writes the due bytes of each file. Bytes that cannot be written remain due until the next write. */
  function writeDueBytes(): void {
    for (const [descriptor, count] of due) {
      writeSync(descriptor, REQUEST_BYTE.repeat(count));
      due.delete(descriptor);
    }
  }

  function writeSoon(): Promise<void> {
    return new Promise((resolve, reject) => {
      process.nextTick(() => {
        writing = null;
        try {
          resolve(writeDueBytes());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  function openDescriptor(account: string, month: string): number {
    const name = `${month}/${account}`;
    const existingDescriptor = descriptors.get(name);
    if (existingDescriptor !== undefined) return existingDescriptor;
    if (descriptors.size >= MAX_OPEN_FILES) writeDueBytes();
    for (const [oldest, descriptor] of descriptors) {
      if (descriptors.size < MAX_OPEN_FILES) break;
      closeSync(descriptor);
      descriptors.delete(oldest);
    }
    makeDirectory(join(folder, month), 0o700);
    const descriptor = openSync(join(folder, month, account), 'a', 0o600);
    descriptors.set(name, descriptor);
    return descriptor;
  }

  return {
    read: (account: string, month: string): number => {
      const descriptor = openDescriptor(account, month);
      return fstatSync(descriptor).size + (due.get(descriptor) ?? 0);
    },
    /** Resolves when the request is written; requests added at the same time are written together. */
    add(account: string, month: string): Promise<void> {
      const descriptor = openDescriptor(account, month);
      due.set(descriptor, (due.get(descriptor) ?? 0) + 1);
      writing ??= writeSoon();
      return writing;
    },
    close: () => {
      writeDueBytes();
      for (const descriptor of descriptors.values()) closeSync(descriptor);
      descriptors.clear();
    },
  };
}
