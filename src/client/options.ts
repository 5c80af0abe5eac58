/** How the client sends requests. Times are in milliseconds. */
export interface ClientOptions {
  /** Maximum wait for a 429 or a retry. Does not apply to queueing in the rate limiter. */
  readonly maxWait: number;
  /** Maximum number of retries; null for four, or one if nothing listens on this machine. */
  readonly retries: number | null;
  /** Time (epoch) after which nothing is sent or waited for, or null. */
  readonly deadline: number | null;
  /** Maximum time for one request, until the last byte of the response. */
  readonly timeout: number;
  /** Sends the request even if the cached response is valid. */
  readonly fresh: boolean;
  /** Sends nothing: uses cached responses only. */
  readonly offline: boolean;
  /** Maximum age of cached responses that are used without a request, or null. */
  readonly maxAge: number | null;
  readonly noCache: boolean;
  /** Accepts an older published release than the address had before. */
  readonly allowOlder: boolean;
  /** Sends parameters without checking them. */
  readonly unchecked: boolean;
  /** Sent as `X-Request-Id` with every request, or null. */
  readonly requestId: string | null;
  /** Aborts everything, as with Ctrl-C. */
  readonly signal: AbortSignal | null;
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
