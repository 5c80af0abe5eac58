/** What the client asks of a budget: leave to send one request, and an account of what came of it. */
export interface RateLimiter {
  /** Waits for its turn, first in first out; throws a `limit` Failure where waiting is hopeless. */
  admit(signal: AbortSignal | null): Promise<Permit>;
}

export interface Permit {
  /** Milliseconds spent in the queue. */
  readonly waited: number;
  /** Says what came of the request, and gives the slot back. Once. */
  settle(result: Settlement): void;
}

export interface Settlement {
  /** Null where no answer came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Limits that a 429 names. */
  readonly violated: readonly string[];
  /** When it was sent and when its answer came (epoch ms). */
  readonly sent: number;
  readonly received: number;
  /** Whether the service may still be at work on it. */
  readonly underWay: boolean;
  /** Whether it never left: no connection came about, so nothing can have been counted. */
  readonly unsent: boolean;
}
