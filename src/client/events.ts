/** What happens between a question and its response, for progress lines and --verbose. No event holds a key. */
import type { Policy, Remainder } from '../contract/rate-limit.ts';
import type { ReuseReason } from './cache/reuse.ts';

export type ClientEvent =
  /** Queueing for a concurrency slot or a rate token of the account; `until` (epoch ms) where it is known. */
  | { readonly type: 'waiting'; readonly for: 'slot' | 'minute' | 'pause'; readonly until: number | null }
  /** The wait is over; `ms` is what it took. */
  | { readonly type: 'waited'; readonly ms: number }
  | {
      readonly type: 'retrying';
      /** What went wrong: a sentence. */
      readonly why: string;
      readonly ms: number;
      /** How many retries have been made, this one included. */
      readonly attempt: number;
    }
  /** A request was sent and answered, or the connection failed (`status` null). */
  | {
      readonly type: 'request';
      readonly method: 'GET';
      readonly url: string;
      readonly status: number | null;
      readonly ms: number;
      readonly requestId: string | null;
      /** Of the body, where it is a published file's. */
      readonly bytes?: number;
    }
  /** A cached response was used without a request. */
  | { readonly type: 'cached'; readonly url: string; readonly age: number; readonly why: ReuseReason }
  /** What the service reported as left of the account's limits. */
  | { readonly type: 'remaining'; readonly remainders: readonly Remainder[]; readonly policies: readonly Policy[] }
  /** Texts that the interface requires and the service left out, by the path of their field; each field is reported once. */
  | { readonly type: 'incomplete'; readonly missing: readonly (readonly [path: string, count: number])[] }
  /** Something works less well than it could: a whole sentence, reported once. */
  | { readonly type: 'notice'; readonly text: string };
