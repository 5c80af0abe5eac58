/**
 * Counts the rate tokens of a window and the requests of a month. Tokens are taken and returned through shared files,
 * from which all processes compute the same counts.
 */
import { Failure } from '../../contract/failure.ts';
import type { LimitRemainder } from '../../contract/rate-limit.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import type { SharedFiles } from '../../platform/processes/shared-files.ts';
import type { AccountLimits } from './account-limits.ts';
import { findMonthAt, findWindowAt, type QuotaWindow } from './windows.ts';

export interface TakenTokens {
  /** Id of the request in the logs. */
  readonly id: string;
  /**
   * Names of the log files in which the request took a token: one window's, or two windows' near the end of a window.
   */
  readonly logs: readonly string[];
  /** Index of the month, such as `202605`. */
  readonly month: number;
  /** Whether the month's quota seems used up, and this request tests whether it is. */
  readonly isProbe: boolean;
}

/*
 * The log of a window. All processes that read the log compute the same count, so a granted token stays granted.
 *
 *     T id   a request asks for a token        B id   the token is returned
 *     L n    the limit is n from here on       X n    n requests of the account were made elsewhere
 */

const formatWindowLogName = (length: number, index: number) => `minute.${length}.${index}`;

/**
 * A request sent within this many milliseconds of a window's end also needs a token of the next window, because the
 * service may count it there.
 */
const WINDOW_EDGE_MS = 1500;

/**
 * Takes a token of the window and a request of the month; returns null if the window has no token left. Throws a limit
 * Failure if the month's quota is used up.
 */
export function takeTokens(files: SharedFiles, id: string, limits: AccountLimits, window: QuotaWindow, now: number) {
  const { quotas, clock } = limits;
  const { minuteLength, minute: limit } = quotas;
  const log = formatWindowLogName(minuteLength, window.index);
  // Reads the log before writing to it, so that a token is only requested if one seems to be free.
  if (!prepareLogAndTestForToken(files, log, limit)) return null;
  const isNearEnd = window.end - now < Math.min(WINDOW_EDGE_MS, minuteLength / 10);
  const names = isNearEnd ? [log, formatWindowLogName(minuteLength, window.index + 1)] : [log];
  const monthWindow = findMonthAt(now, clock);
  if (!names.every((name) => tryTakeToken(files, name, id, limit))) {
    returnTokenToWindows(files, { id, logs: names });
    return null;
  }
  const month = takeRequest(files, monthWindow.index, quotas.month, now);
  if (month === 'refused') {
    returnTokenToWindows(files, { id, logs: names });
    const advice = 'To ask the service for the current count: fin quota';
    throw makeLimitReachedFailure(`The month's ${quotas.month} requests are used up`, monthWindow.end - now, advice);
  }
  return { id, logs: names, month: monthWindow.index, isProbe: month === 'probe' } satisfies TakenTokens;
}

/** Gives back the tokens of a request that the service did not count. */
export function returnTokens(files: SharedFiles, tokens: TakenTokens): void {
  returnTokenToWindows(files, tokens);
  returnRequestToMonth(files, tokens.month);
}

function returnTokenToWindows(files: SharedFiles, { id, logs }: Pick<TakenTokens, 'id' | 'logs'>): void {
  for (const name of logs) files.append(name, `B ${id}\n`);
}

/**
 * Throws a limit Failure if the window's quota is used up and the window ends later than `maxWaitMs` from now. Each
 * window is checked when its turn comes, because `maxWaitMs` limits the wait for each window separately.
 */
export function refuseSpentWindow(files: SharedFiles, limits: AccountLimits, maxWaitMs: number, now: number): void {
  const { quotas, clock, shift } = limits;
  const { end, index } = findWindowAt(now, quotas.minuteLength, clock, shift);
  if (end - now <= maxWaitMs) return;
  const { used, limit } = readWindowUsage(files, quotas, index);
  if (used < limit) return;
  const length = quotas.minuteLength === 60_000 ? 'a minute' : `in ${quotas.minuteLength / 1000} s`;
  const text = `The account's limit (${formatCount(limit, 'request')} ${length}) is used up`;
  throw makeLimitReachedFailure(text, end - now);
}

/** Returns the Failure for a limit that resets in `ms` milliseconds. */
export function makeLimitReachedFailure(limit: string, ms: number, advice = ''): Failure {
  const opensAt = new Date(Date.now() + ms).toISOString().replace('T', ' ');
  return new Failure('limit', `${limit}.`, {
    hint: `Nothing was sent. Try again after ${opensAt.slice(0, ms < 120_000 ? 19 : 16)} UTC. ${advice}`.trimEnd(),
    statesRetryTime: true,
    retryAfter: Math.ceil(ms / 1000),
  });
}

/**
 * Counts the tokens in a window's log.
 * @param limit the limit that applies until a line of the log states another limit
 */
export function computeWindowUsage(text: string, limit: number) {
  const grantedIds = new Set<string>();
  let used = 0;
  const lines = text.split('\n');
  lines.pop();
  for (const line of lines) {
    const [letter, word = ''] = line.split(' ');
    if (letter === 'T' && used < limit && !grantedIds.has(word)) {
      grantedIds.add(word);
      used++;
    } else if (letter === 'B' && grantedIds.delete(word)) {
      used--;
    } else if (letter === 'L' || letter === 'X') {
      const number = /^\d{1,9}$/.test(word) ? Number(word) : 0;
      if (letter === 'X') used += number;
      else if (number > 0) limit = number;
    }
  }
  return { limit, used, grantedIds };
}

/** Counts the tokens in the log of the window with this index. */
export const readWindowUsage = (files: SharedFiles, { minuteLength, minute }: AccountLimits['quotas'], index: number) =>
  computeWindowUsage(files.read(formatWindowLogName(minuteLength, index)), minute);

/** Records requests of the account that were made elsewhere, so that all processes on this machine count them. */
export function recordRequestsElsewhere(files: SharedFiles, length: number, index: number, count: number): void {
  files.append(formatWindowLogName(length, index), `X ${count}\n`);
}

function prepareLogAndTestForToken(files: SharedFiles, log: string, limit: number): boolean {
  const text = files.read(log);
  // A log without an `L` line is new, even if it has tokens: requests near the end of the previous window took them.
  const isNew = !/^L /m.test(text);
  if (isNew) removeOldWindowLogs(files, log);
  const usage = computeWindowUsage(text, limit);
  // From this line on, all processes count with the current limit.
  if (isNew || usage.limit !== limit) files.append(log, `L ${limit}\n`);
  return usage.used < limit;
}

function tryTakeToken(files: SharedFiles, log: string, id: string, limit: number): boolean {
  files.append(log, `T ${id}\n`);
  return computeWindowUsage(files.read(log), limit).grantedIds.has(id);
}

function removeOldWindowLogs(files: SharedFiles, newestLog: string): void {
  const parseIndex = (name: string) => Number(name.slice(name.lastIndexOf('.') + 1));
  const prefix = newestLog.slice(0, newestLog.lastIndexOf('.') + 1);
  for (const name of files.list()) {
    const isExpired = name.startsWith(prefix) && parseIndex(name) < parseIndex(newestLog) - 2;
    if (isExpired || (name.startsWith('minute.') && !name.startsWith(prefix))) files.remove(name);
  }
}

/*
 * The count of a month. One file grows by a byte for every request, another for every request that the service did
 * not count: the difference of their sizes is the count.
 */

/**
 * Milliseconds between requests that test whether the month's quota is still used up: a header may have been wrong, or
 * the quota may have been raised. The service does not count refused requests.
 */
const PROBE_INTERVAL_MS = 15 * 60_000;
/**
 * Maximum excess of the local count over the service's count that is left uncorrected, because requests in progress may
 * explain the excess.
 */
const MONTH_MARGIN_TOKENS = 16;
/** Maximum size to which a correction extends a count file. Such a file has one byte per request. */
const MAX_MONTH_FILE_BYTES = 20_000_000;

const getTakenFileName = (month: number) => `month.${month}`;
const getReturnedFileName = (month: number) => `month.${month}.back`;
const PROBE_PREFIX = 'month.probe.';
const formatProbeFileName = (now: number) => `${PROBE_PREFIX}${Math.floor(now / PROBE_INTERVAL_MS)}`;

export const countMonthlyRequests = (files: SharedFiles, month: number): number =>
  Math.max(0, files.size(getTakenFileName(month)) - files.size(getReturnedFileName(month)));

/**
 * Counts one request against the month's quota. If the quota seems used up, one process per interval may still send a
 * request, to test whether it is.
 */
function takeRequest(files: SharedFiles, month: number, quota: number, now: number): 'counted' | 'probe' | 'refused' {
  files.append(getTakenFileName(month), '.');
  if (countMonthlyRequests(files, month) <= quota) return 'counted';
  const probe = formatProbeFileName(now);
  if (!files.createEmpty(probe)) {
    returnRequestToMonth(files, month);
    return 'refused';
  }
  allowProbe(files, probe);
  return 'probe';
}

/**
 * Lets the next request test the month's quota, even if another request tested it recently.
 * @param exception name of the file of a test that still counts; by default no test counts
 */
export function allowProbe(files: SharedFiles, exception: string | null = null): void {
  for (const name of files.list()) {
    if (name.startsWith(PROBE_PREFIX) && name !== exception) files.remove(name);
  }
}

function returnRequestToMonth(files: SharedFiles, month: number): void {
  files.append(getReturnedFileName(month), '.');
}

/** Records that the service refused a request because the month's quota is used up. */
export function markMonthUsedUp(files: SharedFiles, month: number, quota: number, now: number): void {
  files.createEmpty(formatProbeFileName(now));
  correctMonthCount(files, month, quota, { name: 'month', remaining: 0 });
}

/** Corrects the count to the service's count, unless running requests explain the difference. */
export function correctMonthCount(files: SharedFiles, month: number, quota: number, { remaining }: LimitRemainder) {
  const difference = Math.max(0, quota - remaining) - countMonthlyRequests(files, month);
  if (difference > 0) extendFile(files, getTakenFileName(month), difference);
  else if (-difference > MONTH_MARGIN_TOKENS) extendFile(files, getReturnedFileName(month), -difference);
}

function extendFile(files: SharedFiles, file: string, size: number): void {
  files.append(file, '.'.repeat(Math.max(0, Math.min(size, MAX_MONTH_FILE_BYTES - files.size(file)))));
}
