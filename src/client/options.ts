/** How the client asks. Times are in milliseconds. */
export interface ClientOptions {
  /** The longest wait for a 429 or a retry that is begun. Queueing in the rate limiter is not bounded by it. */
  readonly maxWait: number;
  /** How often a failed request is sent again; null for four times, or once where nothing listens on this machine. */
  readonly retries: number | null;
  /** The instant (epoch) after which nothing is waited for or sent, or null. */
  readonly deadline: number | null;
  /** The longest time for one request, from sending to the body's last byte. */
  readonly timeout: number;
  /** Sends the request even when the cached response is still valid. */
  readonly fresh: boolean;
  /** Sends nothing: cached responses only. */
  readonly offline: boolean;
  /** Uses any cached response up to this age without a request, or null. */
  readonly maxAge: number | null;
  readonly noCache: boolean;
  /** Accepts an older published release than the address had before. */
  readonly allowOlder: boolean;
  /** Sends parameters as they are. */
  readonly unchecked: boolean;
  /** Sent as `X-Request-Id` with every request, or null. */
  readonly requestId: string | null;
  /** Ends everything at once: Ctrl-C. */
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
