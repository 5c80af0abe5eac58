/** Events between a question and its response, for progress lines and --verbose. Events never contain API keys. */
import type { readLimitHeaders } from '../../contract/rate-limit.ts';
import type { Wait } from '../../http/retry.ts';

/** The reason why a cached response is used without a request. */
export type ReuseReason = 'release' | 'max-age' | 'offline';

export type ClientEvent =
  /** Waiting for a concurrency slot or a rate token of the account, until `until` (epoch ms; null if unknown). */
  | { readonly type: 'waiting'; readonly for: 'slot' | 'minute' | 'pause'; readonly until: number | null }
  /** The wait is over; it took `ms` milliseconds. */
  | { readonly type: 'waited'; readonly ms: number }
  | ({ readonly type: 'retrying' } & Wait)
  /** A request was answered, or its connection failed (then `status` is null). */
  | {
      readonly type: 'request';
      readonly method: 'GET';
      readonly url: string;
      readonly status: number | null;
      readonly ms: number;
      readonly requestId: string | null;
      /** Size of the body in bytes; only for a file of a published release. */
      readonly bytes?: number;
    }
  /** A cached response was used without sending a request. */
  | { readonly type: 'cached'; readonly url: string; readonly age: number; readonly why: ReuseReason }
  /** The service reported the remaining requests of the account. */
  | ({ readonly type: 'remaining' } & ReturnType<typeof readLimitHeaders>)
  /**
   * A response lacks texts that the HTTP API requires. `missing` counts them by field path. Each field is reported
   * once.
   */
  | { readonly type: 'incomplete'; readonly missing: readonly (readonly [path: string, count: number])[] }
  /** A sentence for the user, for example that the cache cannot be written. */
  | { readonly type: 'notice'; readonly text: string };
