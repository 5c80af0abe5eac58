/** The requests that an account may still make in the window and in the month: taken, or refused as spent. */
import { Failure } from '../../contract/failure.ts';
import type { SharedFiles } from '../../platform/shared-files.ts';
import type { LearnedLimits } from './limits.ts';
import { takeOfMonth } from './month.ts';
import { minuteFile, type Taken } from './record-response.ts';
import { countTokens } from './tokens.ts';
import { monthAt, type Window, windowAt } from './windows.ts';

/** A token taken so close to a window's end may be counted in the next one. */
const EDGE = 1500;

/**
 * Throws where the window's requests are spent, and its end lies further away than is waited for. Standing in line is
 * no such wait: who stands behind many windows' worth of others waits for one window at a time.
 */
export function refuseSpent(files: SharedFiles, { quotas, clock }: LearnedLimits, maxWait: number, now: number): void {
  const { end, index } = windowAt(now, quotas.minuteLength, clock);
  if (end - now <= maxWait) return;
  const { used, limit } = countTokens(files.read(minuteFile(quotas.minuteLength, index)), quotas.minute);
  const length = quotas.minuteLength === 60_000 ? 'a minute' : `in ${quotas.minuteLength / 1000} s`;
  if (used >= limit) throw spent(`The account's limit (${limit} ${length}) is spent`, end - now);
}

/** Takes one of the minute and one of the month, under `id`; null where the window has none left. Throws where the month has none. */
export function takeTokens(
  files: SharedFiles,
  id: string,
  known: LearnedLimits,
  window: Window,
  now: number,
): Taken | null {
  const { minuteLength: length, minute, month: monthly } = known.quotas;
  // A look costs nothing; only a token that is likely there is asked for.
  const file = minuteFile(length, window.index);
  if (!mayTake(files, file, minute)) return null;
  const nearEnd = window.end - now < Math.min(EDGE, length / 10);
  const asked = nearEnd ? [file, minuteFile(length, window.index + 1)] : [file];
  const granted = asked.every((name) => grantedIn(files, name, id, minute));
  if (!granted) {
    for (const name of asked) files.append(name, `B ${id}\n`);
    return null;
  }
  const month = monthAt(now, known.clock);
  if (!takeOfMonth(files, month.index, monthly, now)) {
    for (const name of asked) files.append(name, `B ${id}\n`);
    throw spent(`The month's ${monthly} requests are spent`, month.end - now);
  }
  return { id, minutes: asked, month: month.index };
}

function mayTake(files: SharedFiles, file: string, limit: number): boolean {
  const text = files.read(file);
  if (text === '') sweepMinutes(files, file);
  const count = countTokens(text, limit);
  // The limit as it is known now holds for everybody from here on.
  if (text === '' || count.limit !== limit) files.append(file, `L ${limit}\n`);
  return count.used < limit;
}

function grantedIn(files: SharedFiles, file: string, id: string, limit: number): boolean {
  files.append(file, `T ${id}\n`);
  return countTokens(files.read(file), limit).granted.has(id);
}

/** Windows that are over: nobody reads them again. */
function sweepMinutes(files: SharedFiles, newest: string): void {
  const number = (name: string) => Number(name.slice(name.lastIndexOf('.') + 1));
  const length = newest.slice(0, newest.lastIndexOf('.') + 1);
  for (const name of files.list()) {
    const over = name.startsWith(length) && number(name) < number(newest) - 2;
    if (over || (name.startsWith('minute.') && !name.startsWith(length))) files.remove(name);
  }
}

/** A limit that opens again in so many milliseconds. */
export function spent(what: string, ms: number): Failure {
  const back = new Date(Date.now() + ms)
    .toISOString()
    .slice(0, ms < 120_000 ? 19 : 16)
    .replace('T', ' ');
  return new Failure('limit', `${what}.`, {
    hint: `Nothing was sent. Ask again after ${back} UTC.`,
    retryAfter: Math.ceil(ms / 1000),
  });
}
