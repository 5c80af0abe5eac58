/** What keeps count of every account's requests. One home is in the process, the other is shared by several. */
import type { LimitName } from '../../contract/problems.ts';
import type { Limits } from './limits.ts';

/** What an account has used of each limit; `concurrent` is how many requests run. */
export type Usage = Readonly<Record<LimitName, number>>;

/**
 * The answer to a request that wants in. Where no limit is `violated`, the request holds a slot and has been
 * counted in `usage`; else nothing was counted, and `usage` is what stands against it.
 */
export interface Claim {
  readonly violated: readonly LimitName[];
  readonly usage: Usage;
  /** The moment the windows were read at, in milliseconds. */
  readonly now: number;
  /** The request counts, and must not be forgotten: resolves once that is sure to survive this process. */
  keep(): Promise<void>;
  /** The request does not count after all; `usage` afterwards. */
  refund(): Promise<Usage>;
  /** The request is over: its slot is free. Called once, after {@link keep} or {@link refund}. */
  finish(): void;
}

export interface Counters {
  /** Rejects when the counts cannot be reached: then nobody can be let in. */
  claim(account: string, limits: Limits): Promise<Claim>;
  close(): Promise<void>;
}

/** The limits that one more request would break. */
export function violations(usage: Usage, limits: Limits): LimitName[] {
  const names: readonly LimitName[] = ['minute', 'month', 'concurrent'];
  return names.filter((name) => usage[name] >= limits[name]);
}

/** A claim that was refused: there is nothing to keep, give back or finish. */
export function refusedClaim(violated: readonly LimitName[], usage: Usage, now: number): Claim {
  return { violated, usage, now, keep: async () => {}, refund: async () => usage, finish: () => {} };
}
