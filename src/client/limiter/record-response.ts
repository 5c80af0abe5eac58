/** Records what a response says about the account's limits, for all processes. */
import { readLimitHeaders, retryAfter } from '../../contract/rate-limit.ts';
import type { SharedFiles } from '../../platform/processes/shared-files.ts';
import { type LearnedLimits, learnLimits, readLimits, writeLimits } from './limits.ts';
import {
  allowProbe,
  closeMonth,
  correctMonth,
  countWindow,
  giveBackTokens,
  noteRequestsElsewhere,
  type TakenTokens,
} from './tokens.ts';
import { windowAt } from './windows.ts';

/** The outcome of a request. */
export interface Settlement {
  /** Null without a response. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The limits that a 429 names. */
  readonly violated: readonly string[];
  /** When the request was sent and when its response arrived (epoch ms). */
  readonly sent: number;
  readonly received: number;
  /** Whether the service may still be working on it. */
  readonly isUnderWay: boolean;
  /** Whether there was no connection, so that the service cannot have counted the request. */
  readonly isUnsent: boolean;
}

/** Statuses of requests that the service does not count. */
const UNCOUNTED_STATUSES: ReadonlySet<number> = new Set([401, 429, 500, 503, 504]);

/** Contains the time (epoch ms) until which the service accepts no requests. */
const PAUSE_FILE = 'pause';
/** Minimum and maximum time (ms) for which the account's other requests wait after a 429, whatever it asks for. */
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15 * 60_000;

export function recordResponse(files: SharedFiles, tokens: TakenTokens, outcome: Settlement): void {
  const { status, headers, violated, received } = outcome;
  if (outcome.isUnsent || (status !== null && UNCOUNTED_STATUSES.has(status))) giveBackTokens(files, tokens);
  // Only a refusal confirms that the month is used up; after any other outcome the next request may test it.
  if (tokens.isProbe && !refusesMonth(status, violated)) allowProbe(files);
  if (status === null) return;
  const previousLimits = readLimits(files);
  const limits = learnLimits(previousLimits, outcome);
  writeLimits(files, previousLimits, limits);
  for (const remainder of readLimitHeaders(headers).remainders) {
    if (remainder.name === 'month') correctMonth(files, tokens.month, limits.quotas.month, remainder);
    if (remainder.name === 'minute') correctWindow(files, tokens, limits, remainder.remaining, outcome);
  }
  if (status !== 429) return;
  if (violated.includes('month')) closeMonth(files, tokens.month, limits.quotas.month, received);
  else if (violated.includes('minute')) {
    const until = received + Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, retryAfter(headers, received) ?? 0));
    if (until > pausedUntil(files, received)) files.replace(PAUSE_FILE, String(until));
  }
}

/** Whether a refusal may be for the month; one that names no limit may. */
function refusesMonth(status: number | null, violated: readonly string[]): boolean {
  return status === 429 && (violated.length === 0 || violated.includes('month'));
}

/**
 * Returns the time (epoch ms) until which nothing may be sent; 0 for no pause. A pause beyond the maximum comes from
 * a wrong clock.
 */
export function pausedUntil(files: SharedFiles, now: number): number {
  const until = Number(files.read(PAUSE_FILE)) || 0;
  return until - now > MAX_PAUSE_MS ? 0 : until;
}

/**
 * Requests that the service has counted and the window's log lacks were made elsewhere: on other machines, or by
 * other programs.
 */
function correctWindow(
  files: SharedFiles,
  { logs }: TakenTokens,
  { quotas, clock }: LearnedLimits,
  remaining: number,
  { sent, received }: Settlement,
): void {
  const { index } = windowAt(sent, quotas.minuteLength, clock);
  // If a response arrives across a window's end, its window is unknown.
  if (logs.length > 1 || index !== windowAt(received, quotas.minuteLength, clock).index) return;
  const requestsElsewhere = quotas.minute - remaining - countWindow(files, quotas, index).used;
  if (requestsElsewhere > 0) noteRequestsElsewhere(files, quotas.minuteLength, index, requestsElsewhere);
}
