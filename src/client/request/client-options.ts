import type { ClientEvent } from './events.ts';

/** Options for sending requests. Times are in milliseconds. */
export interface ClientOptions {
  /**
   * Maximum wait before a retry, or for the next window of a rate limit. Time in the queue for requests does not count.
   */
  readonly maxWait: number;
  /**
   * Maximum number of retries. If null, the maximum is four, or one if nothing listens at an address on this machine.
   */
  readonly retries: number | null;
  /** Epoch milliseconds after which the client neither sends nor waits; null for no deadline. */
  readonly deadline: number | null;
  /** Maximum time for one request, up to the last byte of the response. */
  readonly timeout: number;
  /** Whether to send the request even if the cached response is valid. */
  readonly fresh: boolean;
  /** Whether to use cached responses only, and send nothing. */
  readonly offline: boolean;
  /**
   * A cached response up to this age is used without a request, whatever its release. Null: the age does not matter.
   */
  readonly maxAge: number | null;
  readonly noCache: boolean;
  /** Whether to accept a published release that is older than the last release from the address. */
  readonly allowOlder: boolean;
  /** Whether to send parameters without checking them. */
  readonly unchecked: boolean;
  /** Value of the `X-Request-Id` header of every request; null for no header. */
  readonly requestId: string | null;
  /** Aborts all requests and waits, for example on Ctrl-C; null if requests are never aborted. */
  readonly signal: AbortSignal | null;
}

/** The settings that the parts of the client share. */
export interface ClientContext {
  /** Base URL without a trailing slash: https, or http on loopback; may have a path. */
  readonly baseUrl: string;
  readonly options: ClientOptions;
  /** Environment variables for proxies, certificates and limits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (event: ClientEvent) => void;
}

export const DEFAULT_OPTIONS: ClientOptions = {
  maxWait: 90_000,
  retries: null,
  deadline: null,
  timeout: 60_000,
  fresh: false,
  offline: false,
  maxAge: null,
  noCache: false,
  allowOlder: false,
  unchecked: false,
  requestId: null,
  signal: null,
};
