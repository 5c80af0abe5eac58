/** What a response says about the account's limits, recorded for all processes. */
import { readLimitHeaders, retryAfter } from '../../contract/rate-limit.ts';
import type { SharedFiles } from '../../platform/processes/shared-files.ts';
import { type LearnedLimits, learn, readLimits, writeLimits } from './limits.ts';
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
  /** Null where no response came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The limits that a 429 names. */
  readonly violated: readonly string[];
  /** When it was sent and when its response came (epoch ms). */
  readonly sent: number;
  readonly received: number;
  /** Whether the service may still be working on it. */
  readonly underWay: boolean;
  /** Whether no connection came about, so that the service cannot have counted it. */
  readonly unsent: boolean;
}

/** The service does not count requests that end so. */
const UNCOUNTED: ReadonlySet<number> = new Set([401, 429, 500, 503, 504]);

/** Until when (epoch ms) the service wants no request. */
const PAUSE_FILE = 'pause';
/** Whatever a 429 asks for, the account's other requests wait so long at least (ms), and no longer. */
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15 * 60_000;

export function recordResponse(files: SharedFiles, tokens: TakenTokens, outcome: Settlement): void {
  const { status, headers, violated, received } = outcome;
  if (outcome.unsent || (status !== null && UNCOUNTED.has(status))) giveBackTokens(files, tokens);
  // Only a refusal confirms that the month is used up: after any other outcome the next request may find out.
  if (tokens.isProbe && !refusesMonth(status, violated)) allowProbe(files);
  if (status === null) return;
  const before = readLimits(files);
  const limits = learn(before, outcome);
  writeLimits(files, before, limits);
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

/** Whether the response is a refusal that may be for the month: one that names no limit may. */
function refusesMonth(status: number | null, violated: readonly string[]): boolean {
  return status === 429 && (violated.length === 0 || violated.includes('month'));
}

/** Until when (epoch ms) nothing may be sent; 0 for no pause. A pause longer than any is that of a clock that was wrong. */
export function pausedUntil(files: SharedFiles, now: number): number {
  const until = Number(files.read(PAUSE_FILE)) || 0;
  return until - now > MAX_PAUSE_MS ? 0 : until;
}

/** What the service has counted beyond the window's log came from elsewhere: other machines, or other programs. */
function correctWindow(
  files: SharedFiles,
  { logs }: TakenTokens,
  { quotas, clock }: LearnedLimits,
  remaining: number,
  { sent, received }: Settlement,
): void {
  const { index } = windowAt(sent, quotas.minuteLength, clock);
  // Of a response that came across a window's end it is not known which window it is about.
  if (logs.length > 1 || index !== windowAt(received, quotas.minuteLength, clock).index) return;
  const elsewhere = quotas.minute - remaining - countWindow(files, quotas, index).used;
  if (elsewhere > 0) noteRequestsElsewhere(files, quotas.minuteLength, index, elsewhere);
}
