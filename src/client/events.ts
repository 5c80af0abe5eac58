/** Events between a question and its response, for progress lines and --verbose. Events contain no keys. */
import type { Policy, Remainder } from '../contract/rate-limit.ts';
import type { ReuseReason } from './cache/reuse.ts';

export type ClientEvent =
  /** Waiting for a concurrency slot or a rate token of the account; until `until` (epoch ms), if known. */
  | { readonly type: 'waiting'; readonly for: 'slot' | 'minute' | 'pause'; readonly until: number | null }
  /** The wait is over after `ms` milliseconds. */
  | { readonly type: 'waited'; readonly ms: number }
  | {
      readonly type: 'retrying';
      /** The cause, as a sentence. */
      readonly why: string;
      readonly ms: number;
      /** Number of retries, including this one. */
      readonly attempt: number;
    }
  /** A request was answered, or its connection failed (`status` null). */
  | {
      readonly type: 'request';
      readonly method: 'GET';
      readonly url: string;
      readonly status: number | null;
      readonly ms: number;
      readonly requestId: string | null;
      /** Size of the body, for a published file. */
      readonly bytes?: number;
    }
  /** A cached response was used without a request. */
  | { readonly type: 'cached'; readonly url: string; readonly age: number; readonly why: ReuseReason }
  /** The remaining requests that the service reported. */
  | { readonly type: 'remaining'; readonly remainders: readonly Remainder[]; readonly policies: readonly Policy[] }
  /**
   * Texts that the service left out although the interface requires them, by path of their field; each field is
   * reported once.
   */
  | { readonly type: 'incomplete'; readonly missing: readonly (readonly [path: string, count: number])[] }
  /** Something works worse than it should: a whole sentence, reported once. */
  | { readonly type: 'notice'; readonly text: string };
