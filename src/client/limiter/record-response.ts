/** What an answer tells of the account, written down for all its processes. */
import { readLimitHeaders } from '../../contract/rate-limit.ts';
import type { SharedFiles } from '../../platform/shared-files.ts';
import type { Settlement } from '../budget.ts';
import { retryAfter } from '../http/retry.ts';
import { type LearnedLimits, learn, readLimits, writeLimits } from './limits.ts';
import { closeMonth, correctMonth, giveBackToMonth } from './month.ts';
import { countTokens } from './tokens.ts';
import { windowAt } from './windows.ts';

/** The file that says until when (epoch ms) the service wants to be left alone. */
const PAUSE = 'pause';
/** Whatever a service says, it is asked again after so long. */
const PAUSE_MAX = 15 * 60_000;
/** However little a 429 asks for, the account's other requests wait as long. */
const PAUSE_MIN = 1000;

/** Until when (epoch ms) nothing is to be sent. A longer pause than any was noted by a clock that was wrong. */
export function pausedUntil(files: SharedFiles, now: number): number {
  const until = Number(files.read(PAUSE)) || 0;
  return until - now > PAUSE_MAX ? 0 : until;
}

/** What was taken for one request: its tokens' name, their files, and the month. */
export interface Taken {
  readonly id: string;
  readonly minutes: readonly string[];
  readonly month: number;
}

export const minuteFile = (length: number, index: number) => `minute.${length}.${index}`;

/** The service does not count these (interface, "Limits"). */
const UNCOUNTED: ReadonlySet<number> = new Set([401, 429, 500, 503, 504]);

/** Writes down what an answer tells of the account. */
export function recordResponse(files: SharedFiles, taken: Taken, settlement: Settlement): void {
  const { status, headers, violated, sent, received } = settlement;
  if (settlement.unsent || (status !== null && UNCOUNTED.has(status))) {
    for (const name of taken.minutes) files.append(name, `B ${taken.id}\n`);
    giveBackToMonth(files, taken.month);
  }
  if (status === null) return;
  const before = readLimits(files);
  const after = learn(before, headers, sent, received);
  writeLimits(files, before, after);
  for (const said of readLimitHeaders(headers).remainders) {
    if (said.name === 'month') correctMonth(files, taken.month, after.quotas.month, said);
    if (said.name === 'minute') correctMinute(files, taken.minutes, after, said.remaining, sent, received);
  }
  if (status !== 429) return;
  if (violated.includes('month')) closeMonth(files, taken.month, after.quotas.month, received);
  else if (violated.includes('minute')) {
    const asked = Math.max(PAUSE_MIN, retryAfter(headers, received) ?? 0);
    const until = received + Math.min(PAUSE_MAX, asked);
    if (until > pausedUntil(files, received)) files.replace(PAUSE, String(until));
  }
}

/** Requests of the account that are not in our log were made elsewhere: they are written down for all. */
function correctMinute(
  files: SharedFiles,
  minutes: readonly string[],
  { quotas, clock }: LearnedLimits,
  remaining: number,
  sent: number,
  received: number,
): void {
  const { index } = windowAt(sent, quotas.minuteLength, clock);
  // An answer that came over a window's end does not say which window it speaks of.
  if (minutes.length > 1 || index !== windowAt(received, quotas.minuteLength, clock).index) return;
  const file = minuteFile(quotas.minuteLength, index);
  const elsewhere = quotas.minute - remaining - countTokens(files.read(file), quotas.minute).used;
  if (elsewhere > 0) files.append(file, `X ${elsewhere}\n`);
}
