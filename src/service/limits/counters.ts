/** Counters of each account's requests: in the process, or in a Redis that several replicas share. */
import type { LimitName } from '../../contract/problems.ts';
import type { Limits } from './limits.ts';

/** What an account has used of each limit; `concurrent` is how many requests run. */
export type Usage = Readonly<Record<LimitName, number>>;

/**
 * A request's claim on its account's limits. Where none is `violated`, the request has a concurrency slot and is counted
 * in `usage`; else nothing was counted.
 */
export interface Claim {
  readonly violated: readonly LimitName[];
  readonly usage: Usage;
  /** When the windows were read (epoch ms). */
  readonly now: number;
  /** The request counts: resolves once the count is sure to survive this process. */
  keep(): Promise<void>;
  /** The request does not count after all; `usage` afterwards. */
  refund(): Promise<Usage>;
  /** The request is over: its slot is free. Called once, after {@link keep} or {@link refund}. */
  finish(): void;
}

export interface Counters {
  /** Rejects when the counts cannot be reached: then no request may be answered. */
  claim(account: string, limits: Limits): Promise<Claim>;
  close(): Promise<void>;
}

/** The limits that one more request would exceed. */
export function violations(usage: Usage, limits: Limits): LimitName[] {
  const names: readonly LimitName[] = ['minute', 'month', 'concurrent'];
  return names.filter((name) => usage[name] >= limits[name]);
}

/** A refused claim: there is nothing to keep, refund or finish. */
export function refusedClaim(violated: readonly LimitName[], usage: Usage, now: number): Claim {
  return { violated, usage, now, keep: async () => {}, refund: async () => usage, finish: () => {} };
}

/** The number since 1970 of the window of `seconds`: requests are counted in calendar minutes, or even parts of one, UTC. */
export function windowOf(now: number, seconds: number): number {
  return Math.floor(now / (seconds * 1000));
}

/** Names a month: `2026-11`. */
export function monthOf(now: number): string {
  return monthAt(now).name;
}

/** Whole seconds until the window ends, 1 to its length. */
export function secondsOfWindow(now: number, seconds: number): number {
  return secondsUntil((windowOf(now, seconds) + 1) * seconds * 1000, now);
}

/** Whole seconds until the first of next month, at least 1. */
export function secondsOfMonth(now: number): number {
  return secondsUntil(monthAt(now).end, now);
}

/** Computed once a minute: a month begins with a minute. */
function monthAt(now: number): typeof latest {
  const minute = windowOf(now, 60);
  if (minute !== latest.minute) {
    const date = new Date(now);
    const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    latest = { minute, name: date.toISOString().slice(0, 7), end };
  }
  return latest;
}

let latest = { minute: Number.NaN, name: '', end: Number.NaN };

function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1000));
}
