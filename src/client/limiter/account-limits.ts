/** Stores an account's quotas and the offset of the service's clock, as learned from responses, in one small file. */
import { join } from 'node:path';
import { parseHttpDate, readLimitHeaders } from '../../contract/rate-limit.ts';
import { parseObject } from '../../platform/json-object.ts';
import type { SharedFiles } from '../../platform/processes/shared-files.ts';
import { type ClockBounds, narrowClock, UNKNOWN_CLOCK } from './windows.ts';

interface Quotas {
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
  readonly clock: ClockBounds;
  /** Milliseconds by which the service's windows start before multiples of their length. */
  readonly shift: number;
}

/** Quotas that the HTTP API states, used until responses state other quotas. */
const DEFAULT_QUOTAS = { concurrent: 4, minute: 60, minuteLength: 60_000, month: 20_000 };

/** Maximum quotas that are accepted from headers, because a wrong header must not stop the account or fill the disk. */
const MAX_QUOTAS: Quotas = { concurrent: 1000, minute: 1_000_000, minuteLength: 86_400_000, month: 10_000_000 };

const LIMITS_FILE = 'known.json';

export const SLOTS_QUEUE_NAME = 'slots';

/** Returns the directory of an account's rate limiter, below the user's state directory. */
export const getAccountDirectory = (state: string, account: string): string => join(state, 'limits', account);

export function readLimits(files: SharedFiles): AccountLimits {
  const values = parseObject(files.read(LIMITS_FILE)) ?? {};
  const isQuota = (name: keyof Quotas, value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= MAX_QUOTAS[name];
  const quotas = { ...DEFAULT_QUOTAS };
  for (const name of Object.keys(quotas) as (keyof Quotas)[]) {
    const value = values[name];
    if (isQuota(name, value)) quotas[name] = value;
  }
  const { low, high, shift } = values;
  return {
    quotas,
    clock: typeof low === 'number' && typeof high === 'number' && low <= high ? { low, high } : UNKNOWN_CLOCK,
    shift: typeof shift === 'number' && Number.isSafeInteger(shift) ? shift : 0,
  };
}

/**
 * Stores the limits if they changed. A change by another process may be overwritten, because later responses state the
 * limits again.
 */
export function writeLimits(files: SharedFiles, previous: AccountLimits, next: AccountLimits): void {
  const hasSameQuotas = JSON.stringify(previous.quotas) === JSON.stringify(next.quotas);
  const isNear = (a: number, b: number) => a === b || Math.abs(a - b) < 20;
  const hasSameClock = isNear(previous.clock.low, next.clock.low) && isNear(previous.clock.high, next.clock.high);
  const { quotas, clock, shift } = next;
  if (hasSameQuotas && hasSameClock && previous.shift === shift) return;
  files.replace(LIMITS_FILE, JSON.stringify({ ...quotas, ...clock, shift }));
}

export function makeUpdatedLimits(
  previous: AccountLimits,
  response: { readonly headers: Readonly<Record<string, string>>; readonly sent: number; readonly received: number },
): AccountLimits {
  const { headers, sent, received } = response;
  const quotas = { ...previous.quotas };
  for (const { name, quota, window } of readLimitHeaders(headers).policies) {
    // A quota of 0 is ignored: it would stop all requests forever, even after the service permits requests again.
    if (quota < 1) continue;
    if (name === 'minute' || name === 'month' || name === 'concurrent')
      quotas[name] = Math.min(quota, MAX_QUOTAS[name]);
    const length = name === 'minute' && window !== undefined ? window * 1000 : 0;
    if (length > 0 && length <= MAX_QUOTAS.minuteLength) quotas.minuteLength = length;
  }
  const clock = narrowClock(previous.clock, parseHttpDate(headers.date ?? ''), sent, received);
  return { quotas, clock, shift: quotas.minuteLength === previous.quotas.minuteLength ? previous.shift : 0 };
}
