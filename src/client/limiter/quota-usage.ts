/** Reads the state of an account's limits as recorded on this machine, without sending a request. */
import { listQueue } from '../../platform/processes/queue.ts';
import { openDiskFiles } from '../../platform/processes/shared-files.ts';
import { getAccountDirectory, readLimits, SLOTS_QUEUE_NAME } from './account-limits.ts';
import { allowProbe, countMonthlyRequests, readWindowUsage } from './tokens.ts';
import { estimateOffset, findMonthAt, findWindowAt } from './windows.ts';

export interface QuotaUsage {
  readonly limit: 'minute' | 'month' | 'concurrent';
  readonly quota: number;
  readonly used: number;
  readonly remaining: number;
  /** Epoch milliseconds at which the count restarts; null if unknown. */
  readonly resets: number | null;
}

/**
 * Returns the state of each limit of an account.
 * @param state the user's state directory
 */
export function readQuotaUsages(state: string, account: string, now: number): QuotaUsage[] {
  const files = openDiskFiles(getAccountDirectory(state, account));
  const { quotas, clock, shift } = readLimits(files);
  const window = findWindowAt(now, quotas.minuteLength, clock, shift);
  const month = findMonthAt(now, clock);
  const startedCount = listQueue(files, SLOTS_QUEUE_NAME, now).filter(({ isStarted }) => isStarted).length;
  const makeUsage = (limit: QuotaUsage['limit'], quota: number, used: number, resets: number | null): QuotaUsage => ({
    ...{ limit, quota, used, resets },
    remaining: Math.max(0, quota - used),
  });
  return [
    makeUsage('minute', quotas.minute, readWindowUsage(files, quotas, window.index).used, window.end),
    makeUsage('month', quotas.month, countMonthlyRequests(files, month.index), month.end),
    makeUsage('concurrent', quotas.concurrent, startedCount, null),
  ];
}

/**
 * Lets the account's next request test whether the month's quota is really used up; called by commands that show
 * limits.
 */
export function allowLimitProbe(state: string, account: string): void {
  allowProbe(openDiskFiles(getAccountDirectory(state, account)));
}

/**
 * Returns by how many milliseconds the service's clock is ahead of this machine's clock; null if no response has shown
 * the difference.
 */
export function readClockOffset(state: string, account: string): number | null {
  const { clock } = readLimits(openDiskFiles(getAccountDirectory(state, account)));
  return Number.isFinite(clock.low) && Number.isFinite(clock.high) ? estimateOffset(clock) : null;
}
