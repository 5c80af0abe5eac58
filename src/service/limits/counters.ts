/** Counters of each account's requests: in the process, or in a Redis that several replicas share. */
import type { LimitName } from '../../contract/problems.ts';
import type { Limits } from './limits.ts';

/** Number of requests that count against each limit of an account; `concurrent` is the number of running requests. */
export type Usage = Readonly<Record<LimitName, number>>;

/**
 * A request's claim on its account's limits. If `violated` is empty, the request has a concurrency slot and is
 * counted in `usage`; otherwise nothing was counted.
 */
export interface Claim {
  readonly violated: readonly LimitName[];
  readonly usage: Usage;
  /** Time at which the counts were read (epoch ms). */
  readonly now: number;
  /** Confirms the count. Resolves when the count would survive a crash of this process. */
  keep(): Promise<void>;
  /** Subtracts the request from the counts; resolves to the new `usage`. */
  refund(): Promise<Usage>;
  /** Frees the concurrency slot. Must be called once, after {@link keep} or {@link refund}. */
  finish(): void;
}

export interface Counters {
  /** Rejects if the counts are unavailable; the caller must then refuse the request. */
  claim(account: string, limits: Limits): Promise<Claim>;
  close(): Promise<void>;
}

/** Returns the names of the limits that one more request would exceed. */
export function findExceeded(usage: Usage, limits: Limits): LimitName[] {
  const names: readonly LimitName[] = ['minute', 'month', 'concurrent'];
  return names.filter((name) => usage[name] >= limits[name]);
}

/** Returns a refused claim, for which `keep`, `refund` and `finish` do nothing. */
export const refuseClaim = (violated: readonly LimitName[], usage: Usage, now: number): Claim => ({
  violated,
  usage,
  now,
  keep: async () => {},
  refund: async () => usage,
  finish: () => {},
});

/**
 * Returns the index of the window that contains `now`, counted from 1970; each window has `seconds`. A window is a
 * calendar minute in UTC, or an equal part of a minute.
 */
export const windowAt = (now: number, seconds: number): number => Math.floor(now / (seconds * 1000));

/** Returns a month as text: `2026-11`. */
export const formatMonth = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** Returns whole seconds until the window ends, from 1 to its length. */
export const countSecondsToWindowEnd = (now: number, seconds: number): number =>
  countSecondsUntil((windowAt(now, seconds) + 1) * seconds * 1000, now);

/** Returns whole seconds until the next month begins, at least 1. */
export function countSecondsToMonthEnd(now: number): number {
  const date = new Date(now);
  return countSecondsUntil(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1), now);
}

const countSecondsUntil = (moment: number, now: number): number => Math.max(1, Math.ceil((moment - now) / 1000));
