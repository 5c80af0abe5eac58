/** Stores an account's quotas and the offset of the service's clock, as learned from responses, in one small file. */
import { join } from 'node:path';
import { parseHttpDate, readLimitHeaders } from '../../contract/rate-limit.ts';
import { parseObject } from '../../platform/json-object.ts';
import type { SharedFiles } from '../../platform/processes/shared-files.ts';
import { type ClockOffsetBounds, narrowClock, UNKNOWN_CLOCK } from './windows.ts';

export interface Quotas {
  /** Maximum number of simultaneous requests. */
  readonly concurrent: number;
  /** Number of requests per window, and the window's length in milliseconds. */
  readonly minute: number;
  readonly minuteLength: number;
  /** Number of requests per month. */
  readonly month: number;
}

export interface AccountLimits {
  readonly quotas: Quotas;
  readonly clock: ClockOffsetBounds;
}

/** Quotas that the HTTP API states, used until responses state other quotas. */
const DEFAULT_QUOTAS: Quotas = { concurrent: 4, minute: 60, minuteLength: 60_000, month: 20_000 };

/** Maximum quotas that are accepted from headers, because a wrong header must not stop the account or fill the disk. */
const MAX_QUOTAS: Quotas = { concurrent: 1000, minute: 1_000_000, minuteLength: 86_400_000, month: 10_000_000 };

const LIMITS_FILE = 'known.json';

/** Name of the queue for concurrency slots. */
export const SLOTS_QUEUE_NAME = 'slots';

/** Returns the directory of an account's rate limiter, below the user's state directory. */
export const findAccountDirectory = (state: string, account: string): string => join(state, 'limits', account);

export function readLimits(files: SharedFiles): AccountLimits {
  const storedLimits = parseObject(files.read(LIMITS_FILE)) ?? {};
  const readNumber = (name: keyof Quotas) => {
    const number = storedLimits[name];
    const isValid =
      typeof number === 'number' && Number.isSafeInteger(number) && number > 0 && number <= MAX_QUOTAS[name];
    return isValid ? number : DEFAULT_QUOTAS[name];
  };
  const { low, high } = storedLimits;
  return {
    quotas: {
      concurrent: readNumber('concurrent'),
      minute: readNumber('minute'),
      minuteLength: readNumber('minuteLength'),
      month: readNumber('month'),
    },
    clock: typeof low === 'number' && typeof high === 'number' && low <= high ? { low, high } : UNKNOWN_CLOCK,
  };
}

/**
 * Stores the limits if they changed. A change by another process may be overwritten, because later responses state the
 * limits again.
 */
export function writeLimits(files: SharedFiles, previousLimits: AccountLimits, nextLimits: AccountLimits): void {
  const areQuotasSame = JSON.stringify(previousLimits.quotas) === JSON.stringify(nextLimits.quotas);
  const isNear = (a: number, b: number) => a === b || Math.abs(a - b) < 20;
  const isClockSame =
    isNear(previousLimits.clock.low, nextLimits.clock.low) && isNear(previousLimits.clock.high, nextLimits.clock.high);
  if (areQuotasSame && isClockSame) return;
  files.replace(
    LIMITS_FILE,
    JSON.stringify({ ...nextLimits.quotas, low: nextLimits.clock.low, high: nextLimits.clock.high }),
  );
}

/** Returns the limits, updated by a response's headers. */
export function makeUpdatedLimits(
  previousLimits: AccountLimits,
  response: { readonly headers: Readonly<Record<string, string>>; readonly sent: number; readonly received: number },
): AccountLimits {
  const { headers, sent, received } = response;
  const quotas = { ...previousLimits.quotas };
  for (const { name, quota, window } of readLimitHeaders(headers).policies) {
    // A quota of 0 is ignored: it would stop all requests forever, even after the service permits requests again.
    if (quota < 1) continue;
    if (name === 'minute') {
      quotas.minute = Math.min(quota, MAX_QUOTAS.minute);
      const windowMs = window === undefined ? 0 : window * 1000;
      if (windowMs > 0 && windowMs <= MAX_QUOTAS.minuteLength) quotas.minuteLength = windowMs;
    } else if (name === 'month') quotas.month = Math.min(quota, MAX_QUOTAS.month);
    else if (name === 'concurrent') quotas.concurrent = Math.min(quota, MAX_QUOTAS.concurrent);
  }
  return { quotas, clock: narrowClock(previousLimits.clock, parseHttpDate(headers.date ?? ''), sent, received) };
}
