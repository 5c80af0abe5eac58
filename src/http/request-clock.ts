/** Ends a request that takes too long, or receives so little that it might never end. */

export interface Pace {
  /** Maximum time for one request with its whole body (ms); null for no limit while it makes progress. */
  readonly timeout: number | null;
  /** Minimum number of bytes per `period` (ms). */
  readonly minBytes: number;
  readonly period: number;
}

/** Far below any usable connection: a bulk zip would take a month. A dead connection receives nothing. */
export const MIN_PACE = { minBytes: 64 * 1024, period: 60_000 } as const;

export interface RequestClock {
  readonly signal: AbortSignal;
  received(bytes: number): void;
  stop(): void;
}

/** The signal's reason is an error whose message is a sentence. */
export function startRequestClock({ timeout, minBytes, period }: Pace): RequestClock {
  const controller = new AbortController();
  const abortWith = (message: string) => controller.abort(new Error(message));
  const formatSeconds = (ms: number) => `${ms / 1000} s`;
  let bytes = 0;
  const totalTimer =
    timeout === null
      ? undefined
      : setTimeout(() => abortWith(`The response was not complete within ${formatSeconds(timeout)}.`), timeout);
  const paceTimer = setInterval(() => {
    if (bytes < minBytes) abortWith(`The response came too slowly: ${bytes} bytes in ${formatSeconds(period)}.`);
    bytes = 0;
  }, period);
  return {
    signal: controller.signal,
    received(count) {
      bytes += count;
    },
    stop() {
      clearTimeout(totalTimer);
      clearInterval(paceTimer);
    },
  };
}
