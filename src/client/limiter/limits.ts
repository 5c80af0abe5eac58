/** What the account's processes know of its limits, in one small file: quotas, the service's clock, a pause. */
import { readLimitHeaders } from '../../contract/rate-limit.ts';
import type { SharedFiles } from '../../platform/shared-files.ts';
import { parseHttpDate } from '../http/retry.ts';
import { type Clock, learnClock, UNKNOWN_CLOCK } from './windows.ts';

export interface Quotas {
  /** Requests at a time. */
  readonly concurrent: number;
  /** Requests in a window, and its length in milliseconds. */
  readonly minute: number;
  readonly minuteLength: number;
  /** Requests a month. */
  readonly month: number;
}

export interface LearnedLimits {
  readonly quotas: Quotas;
  readonly clock: Clock;
}

/** The interface's own figures ("Limits"), until the service names others. */
export const DEFAULT_QUOTAS: Quotas = { concurrent: 4, minute: 60, minuteLength: 60_000, month: 20_000 };

/** Larger figures are not believed: a damaged header must neither stop the account nor fill the disk. */
const MOST: Quotas = { concurrent: 1000, minute: 1_000_000, minuteLength: 3_600_000, month: 10_000_000 };

const FILE = 'known.json';

export function readLimits(files: SharedFiles): LearnedLimits {
  const value = parse(files.read(FILE));
  const quota = (name: keyof Quotas) => {
    const held = value[name];
    const believed = typeof held === 'number' && Number.isSafeInteger(held) && held > 0 && held <= MOST[name];
    return believed ? held : DEFAULT_QUOTAS[name];
  };
  const { low, high } = value;
  return {
    quotas: {
      concurrent: quota('concurrent'),
      minute: quota('minute'),
      minuteLength: quota('minuteLength'),
      month: quota('month'),
    },
    clock: typeof low === 'number' && typeof high === 'number' && low <= high ? { low, high } : UNKNOWN_CLOCK,
  };
}

/** Writes what changed, and only then. Whoever writes last wins: each wrote what an answer told. */
export function writeLimits(files: SharedFiles, before: LearnedLimits, after: LearnedLimits): void {
  const sameQuotas = JSON.stringify(before.quotas) === JSON.stringify(after.quotas);
  const near = (a: number, b: number) => a === b || Math.abs(a - b) < 20;
  const sameClock = near(before.clock.low, after.clock.low) && near(before.clock.high, after.clock.high);
  if (sameQuotas && sameClock) return;
  files.replace(FILE, JSON.stringify({ ...after.quotas, low: after.clock.low, high: after.clock.high }));
}

/** What the headers of one answer add. */
export function learn(
  known: LearnedLimits,
  headers: Readonly<Record<string, string>>,
  sent: number,
  received: number,
): LearnedLimits {
  const quotas = { ...known.quotas };
  for (const { name, quota, window } of readLimitHeaders(headers).policies) {
    // A quota of nothing would stop for ever what the service may allow again.
    if (quota < 1) continue;
    if (name === 'minute') {
      quotas.minute = Math.min(quota, MOST.minute);
      const length = window === undefined ? 0 : window * 1000;
      if (length > 0 && length <= MOST.minuteLength) quotas.minuteLength = length;
    } else if (name === 'month') quotas.month = Math.min(quota, MOST.month);
    else if (name === 'concurrent') quotas.concurrent = Math.min(quota, MOST.concurrent);
  }
  return { quotas, clock: learnClock(known.clock, parseHttpDate(headers.date ?? ''), sent, received) };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
