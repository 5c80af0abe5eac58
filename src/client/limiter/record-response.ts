/** Records what a response states about the account's limits, for all processes. */
import { parseRetryAfter, readLimitHeaders } from '../../contract/rate-limit.ts';
import type { SharedFiles } from '../../platform/processes/shared-files.ts';
import { type AccountLimits, makeUpdatedLimits, readLimits, writeLimits } from './account-limits.ts';
import {
  allowProbe,
  correctMonthCount,
  markMonthUsedUp,
  readWindowUsage,
  recordRequestsElsewhere,
  returnTokens,
  type TakenTokens,
} from './tokens.ts';
import { adjustShift, findWindowAt } from './windows.ts';

/** The outcome of a request, with the data from which limits are updated. */
export interface RequestOutcome {
  /** Status of the response; null if no response arrived. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the limits that a 429 response states as violated. */
  readonly violated: readonly string[];
  /** Epoch milliseconds at which the request was sent, and at which its response arrived. */
  readonly sent: number;
  readonly received: number;
  /** Whether the service may still be processing the request. */
  readonly isUnderWay: boolean;
  /** Whether no connection was made, so that the service cannot have counted the request. */
  readonly isUnsent: boolean;
}

/** Statuses of responses whose requests the service does not count. */
const UNCOUNTED_STATUSES: ReadonlySet<number> = new Set([401, 429, 500, 503, 504]);

/** Name of the file with the time (epoch ms) until which the service accepts no requests. */
const PAUSE_FILE = 'pause';
/**
 * Minimum and maximum time in milliseconds for which the account's other requests wait after a 429 for the `minute`
 * limit, whatever its `Retry-After`.
 */
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15 * 60_000;

export function recordResponse(files: SharedFiles, tokens: TakenTokens, result: RequestOutcome): void {
  const { status, headers, violated, received } = result;
  if (result.isUnsent || (status !== null && UNCOUNTED_STATUSES.has(status))) returnTokens(files, tokens);
  // Only a refusal proves that the month's quota is used up; after any other outcome, the next request may test again.
  if (tokens.isProbe && !mayConcernMonthQuota(status, violated)) allowProbe(files);
  if (status === null) return;
  const previous = readLimits(files);
  const limits = makeUpdatedLimits(previous, result);
  writeLimits(files, previous, { ...limits, shift: findStatedShift(limits, result) });
  for (const remainder of readLimitHeaders(headers).remainders) {
    if (remainder.name === 'month') correctMonthCount(files, tokens.month, limits.quotas.month, remainder);
    if (remainder.name === 'minute') correctWindowCount(files, tokens, limits, remainder.remaining, result);
  }
  if (status !== 429) return;
  if (violated.includes('month')) markMonthUsedUp(files, tokens.month, limits.quotas.month, received);
  else if (violated.includes('minute')) {
    const pauseEnd = received + Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, parseRetryAfter(headers, received) ?? 0));
    if (pauseEnd > readPauseEnd(files, received)) files.replace(PAUSE_FILE, String(pauseEnd));
  }
}

/** Whether a response may concern the month's quota: a 429 that names this quota, or that names no limit. */
const mayConcernMonthQuota = (status: number | null, violated: readonly string[]): boolean =>
  status === 429 && (violated.length === 0 || violated.includes('month'));

/**
 * Returns the time (epoch ms) until which nothing may be sent; 0 without a pause. Ignores a pause longer than the
 * maximum: a clock must have been wrong.
 */
export function readPauseEnd(files: SharedFiles, now: number): number {
  const until = Number(files.read(PAUSE_FILE)) || 0;
  return until - now > MAX_PAUSE_MS ? 0 : until;
}

/**
 * Returns the shift of windows that a response states, otherwise the previous shift. Only two kinds of responses state
 * a shift: to the last permitted request of a window, and to a refused request.
 */
function findStatedShift({ quotas, clock, shift }: AccountLimits, response: RequestOutcome): number {
  const { status, headers, violated, received } = response;
  const minute = readLimitHeaders(headers).remainders.find(({ name }) => name === 'minute');
  if (minute?.remaining !== 0 && !violated.includes('minute')) return shift;
  const resetMs = minute?.reset === undefined ? null : minute.reset * 1000;
  const statedMs = resetMs ?? (status === 429 ? parseRetryAfter(headers, received) : null);
  return statedMs === null ? shift : adjustShift(received, statedMs, quotas.minuteLength, clock, shift);
}

/**
 * Records requests that were made elsewhere (on other machines or by other programs): the service counted them, but the
 * window's log lacks them.
 */
function correctWindowCount(
  files: SharedFiles,
  { logs }: TakenTokens,
  { quotas, clock, shift }: AccountLimits,
  remaining: number,
  { sent, received }: RequestOutcome,
): void {
  const { index } = findWindowAt(sent, quotas.minuteLength, clock, shift);
  // If the request ran from one window into the next, it is unknown which window the service's count is about.
  if (logs.length > 1 || index !== findWindowAt(received, quotas.minuteLength, clock, shift).index) return;
  const elsewhereCount = quotas.minute - remaining - readWindowUsage(files, quotas, index).used;
  if (elsewhereCount > 0) recordRequestsElsewhere(files, quotas.minuteLength, index, elsewhereCount);
}
