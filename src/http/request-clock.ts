/** Aborts a request that takes too long, or that receives so little that it might never end. */

export interface Pace {
  /** Maximum milliseconds for a request including its body; null for no limit while data arrives. */
  readonly timeout: number | null;
  /** Minimum number of bytes per `period` milliseconds. */
  readonly minBytes: number;
  readonly period: number;
}

/**
 * Requests that receive less than this are aborted: only dead connections are so slow. At this rate, a bulk zip of 1.4
 * GB would take two weeks.
 */
export const MIN_TRANSFER_RATE = { minBytes: 64 * 1024, period: 60_000 } as const;

interface RequestWatchdog {
  readonly signal: AbortSignal;
  recordBytes(bytes: number): void;
  stop(): void;
}

/** Starts the clock. The reason of its signal is an Error with a full sentence. */
export function startRequestWatchdog({ timeout, minBytes, period }: Pace): RequestWatchdog {
  const controller = new AbortController();
  const abort = (message: string) => controller.abort(new Error(message));
  const format = (ms: number) => `${ms / 1000} s`;
  let bytes = 0;
  const stopLate = (ms: number) => abort(`The response was not complete within ${format(ms)}.`);
  const timer = timeout === null ? undefined : setTimeout(stopLate, timeout, timeout);
  const paceTimer = setInterval(() => {
    if (bytes < minBytes) abort(`The response came too slowly: ${bytes} bytes in ${format(period)}.`);
    bytes = 0;
  }, period);
  return {
    signal: controller.signal,
    recordBytes(count) {
      bytes += count;
    },
    stop() {
      clearTimeout(timer);
      clearInterval(paceTimer);
    },
  };
}
