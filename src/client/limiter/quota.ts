/** What the ledger says of an account's limits, without asking anybody. */
import { join } from 'node:path';
import { listQueue } from '../../platform/queue.ts';
import { diskFiles } from '../../platform/shared-files.ts';
import { LIMITS } from './account.ts';
import { readLimits } from './limits.ts';
import { countMonth } from './month.ts';
import { countTokens } from './tokens.ts';
import { monthAt, offsetOf, windowAt } from './windows.ts';

export interface QuotaLine {
  readonly limit: 'minute' | 'month' | 'concurrent';
  readonly quota: number;
  readonly used: number;
  readonly remaining: number;
  /** When the count starts anew (epoch ms), or null. */
  readonly resets: number | null;
}

/** @param state directory of this user's state; without one, nothing is known but the interface's own figures */
export function readQuota(state: string, account: string, now: number): QuotaLine[] {
  const files = diskFiles(join(state, LIMITS, account));
  const { quotas, clock } = readLimits(files);
  const window = windowAt(now, quotas.minuteLength, clock);
  const month = monthAt(now, clock);
  const sending = listQueue(files, 'slots', now).filter(({ started }) => started).length;
  const minute = countTokens(files.read(`minute.${quotas.minuteLength}.${window.index}`), quotas.minute).used;
  const line = (limit: QuotaLine['limit'], quota: number, used: number, resets: number | null): QuotaLine => ({
    limit,
    quota,
    used,
    remaining: Math.max(0, quota - used),
    resets,
  });
  return [
    line('minute', quotas.minute, minute, window.end),
    line('month', quotas.month, countMonth(files, month.index), month.end),
    line('concurrent', quotas.concurrent, sending, null),
  ];
}

/** By how many milliseconds a service's clock was seen to be ahead of this machine's, or null where no answer has told. */
export function readClockOffset(state: string, account: string): number | null {
  const { clock } = readLimits(diskFiles(join(state, LIMITS, account)));
  return Number.isFinite(clock.low) && Number.isFinite(clock.high) ? offsetOf(clock) : null;
}
