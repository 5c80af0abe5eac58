/**
 * The rate tokens of a window and the requests of the month: taken, returned, and counted the same by all processes.
 */
import { Failure } from '../../contract/failure.ts';
import type { Remainder } from '../../contract/rate-limit.ts';
import type { SharedFiles } from '../../platform/processes/shared-files.ts';
import type { LearnedLimits } from './limits.ts';
import { monthAt, type Window, windowAt } from './windows.ts';

/** The tokens of one request. */
export interface TakenTokens {
  /** Identifies the request in the logs. */
  readonly id: string;
  /** File names of the window logs with a token of the request: one, or two near a window's end. */
  readonly logs: readonly string[];
  /** The month's index. */
  readonly month: number;
  /** Whether the month counts as used up, and this request tests whether it is. */
  readonly isProbe: boolean;
}

/*
 * The log of a window. All who read it come to the same count, so a token that was granted stays granted.
 *
 *     T id   a request asks for a token        B id   the token is given back
 *     L n    the limit is n from here on       X n    n requests of the account were made elsewhere
 */

const windowLogName = (length: number, index: number) => `minute.${length}.${index}`;

/**
 * Distance (ms) from a window's end within which a request may be counted in the next window: it takes a token of
 * both.
 */
const EDGE_MS = 1500;

/**
 * Takes a token of the window and a request of the month; null if the window has none left. Throws a limit Failure if
 * the month has none.
 */
export function takeTokens(
  files: SharedFiles,
  id: string,
  { quotas, clock }: LearnedLimits,
  window: Window,
  now: number,
): TakenTokens | null {
  const { minuteLength, minute: limit } = quotas;
  const log = windowLogName(minuteLength, window.index);
  // Reading is cheap; a token is requested only if one is likely to be free.
  if (!hasToken(files, log, limit)) return null;
  const isNearEnd = window.end - now < Math.min(EDGE_MS, minuteLength / 10);
  const logs = isNearEnd ? [log, windowLogName(minuteLength, window.index + 1)] : [log];
  const month = monthAt(now, clock);
  if (!logs.every((name) => isGranted(files, name, id, limit))) {
    giveBackToWindows(files, { id, logs });
    return null;
  }
  const monthResult = takeOfMonth(files, month.index, quotas.month, now);
  if (monthResult === 'refused') {
    giveBackToWindows(files, { id, logs });
    const advice = 'To ask the service for the current count: fin quota';
    throw limitReached(`The month's ${quotas.month} requests are used up`, month.end - now, advice);
  }
  return { id, logs, month: month.index, isProbe: monthResult === 'probe' };
}

/** Returns the tokens of a request that the service did not count. */
export function giveBackTokens(files: SharedFiles, tokens: TakenTokens): void {
  giveBackToWindows(files, tokens);
  giveBackToMonth(files, tokens.month);
}

function giveBackToWindows(files: SharedFiles, { id, logs }: Pick<TakenTokens, 'id' | 'logs'>): void {
  for (const name of logs) files.append(name, `B ${id}\n`);
}

/**
 * Throws a limit Failure if the window's requests are used up and the window ends later than `maxWait` (ms) from now.
 * Ignores queued requests: each window's end is a wait of its own.
 */
export function refuseSpentWindow(
  files: SharedFiles,
  { quotas, clock }: LearnedLimits,
  maxWait: number,
  now: number,
): void {
  const { end, index } = windowAt(now, quotas.minuteLength, clock);
  if (end - now <= maxWait) return;
  const { used, limit } = countWindow(files, quotas, index);
  const length = quotas.minuteLength === 60_000 ? 'a minute' : `in ${quotas.minuteLength / 1000} s`;
  if (used >= limit) throw limitReached(`The account's limit (${limit} ${length}) is used up`, end - now);
}

/** The Failure for a limit that resets in `ms` milliseconds. */
export function limitReached(limitText: string, ms: number, advice = ''): Failure {
  const opensAtText = new Date(Date.now() + ms)
    .toISOString()
    .slice(0, ms < 120_000 ? 19 : 16)
    .replace('T', ' ');
  return new Failure('limit', `${limitText}.`, {
    hint: `Nothing was sent. Try again after ${opensAtText} UTC. ${advice}`.trimEnd(),
    saysWhen: true,
    retryAfter: Math.ceil(ms / 1000),
  });
}

export interface WindowCount {
  readonly limit: number;
  readonly used: number;
  readonly granted: ReadonlySet<string>;
}

/** @param limit used until the log names another */
export function countTokens(text: string, limit: number): WindowCount {
  const granted = new Set<string>();
  let used = 0;
  const lines = text.split('\n');
  lines.pop();
  for (const line of lines) {
    const [letter, word = ''] = line.split(' ');
    if (letter === 'T' && used < limit && !granted.has(word)) {
      granted.add(word);
      used++;
    } else if (letter === 'B' && granted.delete(word)) {
      used--;
    } else if (letter === 'L' || letter === 'X') {
      const number = /^\d{1,9}$/.test(word) ? Number(word) : 0;
      if (letter === 'X') used += number;
      else if (number > 0) limit = number;
    }
  }
  return { limit, used, granted };
}

/** Returns the count of the window with this index. */
export function countWindow(files: SharedFiles, { minuteLength, minute }: LearnedLimits['quotas'], index: number) {
  return countTokens(files.read(windowLogName(minuteLength, index)), minute);
}

/** Records requests of the account that were made elsewhere, for all processes on this machine. */
export function noteRequestsElsewhere(files: SharedFiles, minuteLength: number, index: number, count: number): void {
  files.append(windowLogName(minuteLength, index), `X ${count}\n`);
}

function hasToken(files: SharedFiles, log: string, limit: number): boolean {
  const text = files.read(log);
  if (text === '') removeOldWindows(files, log);
  const count = countTokens(text, limit);
  // From here on, all processes use the limit as it is known now.
  if (text === '' || count.limit !== limit) files.append(log, `L ${limit}\n`);
  return count.used < limit;
}

function isGranted(files: SharedFiles, log: string, id: string, limit: number): boolean {
  files.append(log, `T ${id}\n`);
  return countTokens(files.read(log), limit).granted.has(id);
}

function removeOldWindows(files: SharedFiles, newestLog: string): void {
  const indexOf = (name: string) => Number(name.slice(name.lastIndexOf('.') + 1));
  const prefix = newestLog.slice(0, newestLog.lastIndexOf('.') + 1);
  for (const name of files.list()) {
    const isOver = name.startsWith(prefix) && indexOf(name) < indexOf(newestLog) - 2;
    if (isOver || (name.startsWith('minute.') && !name.startsWith(prefix))) files.remove(name);
  }
}

/*
 * The count of a month. One file grows by a byte for every request, another for every request that the service did
 * not count: the difference of their sizes is the count.
 */

/**
 * Interval (ms) at which one request is sent although the month counts as used up: a header may have been wrong, or
 * the quota raised. The service does not count refused requests.
 */
const PROBE_INTERVAL_MS = 15 * 60_000;
/** Maximum difference to the service's count that is ignored: the number of simultaneous requests, and a few more. */
const MONTH_MARGIN_TOKENS = 16;
/** Maximum size of a file of the count; the count is not corrected beyond it. */
const MAX_MONTH_FILE_BYTES = 20_000_000;

const takenFile = (month: number) => `month.${month}`;
const returnedFile = (month: number) => `month.${month}.back`;
const PROBE_PREFIX = 'month.probe.';
const probeFile = (now: number) => `${PROBE_PREFIX}${Math.floor(now / PROBE_INTERVAL_MS)}`;

export function countMonth(files: SharedFiles, month: number): number {
  return Math.max(0, files.size(takenFile(month)) - files.size(returnedFile(month)));
}

/** Takes one request of the month. If the month counts as used up, one process per interval gets a probe. */
function takeOfMonth(files: SharedFiles, month: number, quota: number, now: number): 'counted' | 'probe' | 'refused' {
  files.append(takenFile(month), '.');
  if (countMonth(files, month) <= quota) return 'counted';
  const probe = probeFile(now);
  if (!files.make(probe)) {
    giveBackToMonth(files, month);
    return 'refused';
  }
  removeProbes(files, probe);
  return 'probe';
}

function removeProbes(files: SharedFiles, keptProbe: string | null): void {
  for (const name of files.list()) {
    if (name.startsWith(PROBE_PREFIX) && name !== keptProbe) files.remove(name);
  }
}

/** Lets the next request be a probe, even if one was sent recently. */
export function allowProbe(files: SharedFiles): void {
  removeProbes(files, null);
}

function giveBackToMonth(files: SharedFiles, month: number): void {
  files.append(returnedFile(month), '.');
}

/** Records that the service refused a request because the month is used up. */
export function closeMonth(files: SharedFiles, month: number, quota: number, now: number): void {
  files.make(probeFile(now));
  correctMonth(files, month, quota, { name: 'month', remaining: 0 });
}

/** Sets the count to the service's, unless requests in progress explain the difference. */
export function correctMonth(files: SharedFiles, month: number, quota: number, { remaining }: Remainder): void {
  const difference = Math.max(0, quota - remaining) - countMonth(files, month);
  if (difference > 0) extendFile(files, takenFile(month), difference);
  else if (-difference > MONTH_MARGIN_TOKENS) extendFile(files, returnedFile(month), -difference);
}

function extendFile(files: SharedFiles, file: string, byteCount: number): void {
  files.append(file, '.'.repeat(Math.max(0, Math.min(byteCount, MAX_MONTH_FILE_BYTES - files.size(file)))));
}
