/**
 * The budget of one account, shared by all processes of one user through files: a slot, a token of the
 * minute, one request of the month. First in first out; nobody waits for a process that is gone.
 */

import { Failure } from '../../contract/failure.ts';
import { readLimitHeaders } from '../../contract/rate-limit.ts';
import type { Budget, Permit, Settlement } from '../budget.ts';
import { retryAfter } from '../retry.ts';
import type { ClientEvent } from '../types.ts';
import type { LedgerFiles } from './files.ts';
import { type Knowledge, learn, readKnowledge, writeKnowledge } from './knowledge.ts';
import { closeMonth, correctMonth, giveBackToMonth, takeOfMonth } from './month.ts';
import { startPace } from './pace.ts';
import { type SlotTicket, takeTicket } from './slots.ts';
import { LEASE } from './tickets.ts';
import { countTokens } from './tokens.ts';
import { doubtOf, monthAt, type Window, windowAt } from './windows.ts';

export interface LedgerSetup {
  readonly files: LedgerFiles;
  /** A pause longer than this is not sat out. */
  readonly maxWait: number;
  readonly report: (event: ClientEvent) => void;
}

const SLOTS = 'slots';
const PAUSE = 'pause';
/** Whatever a service says, it is asked again after so long. */
const PAUSE_MAX = 15 * 60_000;
const BEAT_EVERY = 10_000;
/** The longest sleep between two looks at the files, by what is waited for (ms). */
const LOOK_EVERY = 250;
/** Waits shorter than this are not worth a word. */
const SAY_AFTER = 300;
/** A token taken so close to a window's end may be counted in the next one. */
const EDGE = 1500;
/** After a window's start, its requests cannot arrive too early by a clock that is a little fast. */
const LATE_START = 25;

export function openLedger({ files, maxWait, report }: LedgerSetup): Budget {
  /** Questions of this process that have a ticket or a request under way: no more than there are slots. */
  const queue = turnstile(() => readKnowledge(files).quotas.concurrent);
  return {
    async admit(signal) {
      const asked = Date.now();
      const word = onceAfter(SAY_AFTER, report);
      await queue.enter(signal);
      let lease: Lease | null = null;
      try {
        for (;;) {
          lease = takeLease(files);
          if ((await slot(files, lease, signal, word)) && (await token(files, lease, maxWait, signal, word))) break;
          // The process was stopped for so long that its place was given away.
          lease.end(false);
        }
        const waited = word.said() ? Date.now() - asked : 0;
        return permit(files, lease, waited, queue.leave);
      } catch (error) {
        lease?.end(false);
        queue.leave();
        throw error;
      }
    },
  };
}

/** A ticket, the sign of life that keeps it, and what was taken under it. */
interface Lease {
  readonly ticket: SlotTicket;
  readonly id: string;
  taken: { readonly minutes: readonly string[]; readonly month: number } | null;
  /** Whether the owner gave its signs in time. */
  fresh(): boolean;
  end(underWay: boolean): void;
}

let serial = 0;

function takeLease(files: LedgerFiles): Lease {
  const ticket = takeTicket(files, SLOTS);
  let seen = Date.now();
  const timer = setInterval(() => {
    // Who was stopped for too long has lost its place, and must not say that it still stands there.
    if (Date.now() - seen > LEASE / 2) return;
    seen = Date.now();
    ticket.beat();
  }, BEAT_EVERY);
  timer.unref();
  return {
    ticket,
    id: `${process.pid.toString(36)}.${Date.now().toString(36)}.${serial++}`,
    taken: null,
    fresh: () => Date.now() - seen <= LEASE / 2,
    end(underWay) {
      clearInterval(timer);
      ticket.release(underWay);
    },
  };
}

/** Waits for the ticket's turn; false where it was lost. */
async function slot(files: LedgerFiles, lease: Lease, signal: AbortSignal | null, word: Word): Promise<boolean> {
  const pace = startPace();
  for (;;) {
    const ahead = lease.ticket.ahead();
    if (ahead === null) return false;
    const over = ahead - readKnowledge(files).quotas.concurrent;
    if (over < 0) break;
    word.say({ type: 'waiting', for: 'slot', until: null });
    await sleep(pace(over, Date.now()), signal);
  }
  lease.ticket.start();
  return true;
}

/** Waits for a token; false where the slot was lost meanwhile. Throws where the wait is not worth beginning. */
async function token(
  files: LedgerFiles,
  lease: Lease,
  maxWait: number,
  signal: AbortSignal | null,
  word: Word,
): Promise<boolean> {
  for (;;) {
    if (!lease.fresh()) return false;
    const now = Date.now();
    const known = readKnowledge(files);
    const paused = Number(files.read(PAUSE)) || 0;
    if (paused - now > maxWait) throw spent('A limit of the account is reached', paused - now);
    const window = windowAt(now, known.quotas.minuteLength, known.clock);
    const opens = Math.max(paused, window.start + LATE_START + doubtOf(known.clock));
    const until = opens > now ? opens : takeTokens(files, lease, known, window, now);
    if (until === null) return true;
    word.say({ type: 'waiting', for: paused > now ? 'pause' : 'minute', until });
    await sleep(Math.min(LOOK_EVERY, Math.max(1, until - now)), signal);
  }
}

const minuteFile = (length: number, index: number) => `minute.${length}.${index}`;

/** Takes one of the minute and one of the month: null, or when to look again. */
function takeTokens(files: LedgerFiles, lease: Lease, known: Knowledge, window: Window, now: number): number | null {
  const { minuteLength: length, minute, month: monthly } = known.quotas;
  // A look costs nothing; only a token that is likely there is asked for.
  const file = minuteFile(length, window.index);
  if (!mayTake(files, file, minute)) return window.end;
  const nearEnd = window.end - now < Math.min(EDGE, length / 10);
  const asked = nearEnd ? [file, minuteFile(length, window.index + 1)] : [file];
  const granted = asked.every((name) => grantedIn(files, name, lease.id, minute));
  if (!granted) {
    for (const name of asked) files.append(name, `B ${lease.id}\n`);
    return window.end;
  }
  const month = monthAt(now, known.clock);
  if (!takeOfMonth(files, month.index, monthly, now)) {
    for (const name of asked) files.append(name, `B ${lease.id}\n`);
    throw spent(`The month's ${monthly} requests are spent`, month.end - now);
  }
  lease.taken = { minutes: asked, month: month.index };
  return null;
}

function mayTake(files: LedgerFiles, file: string, limit: number): boolean {
  const text = files.read(file);
  if (text === '') sweepMinutes(files, file);
  const count = countTokens(text, limit);
  // The limit as it is known now holds for everybody from here on.
  if (text === '' || count.limit !== limit) files.append(file, `L ${limit}\n`);
  return count.used < limit;
}

function grantedIn(files: LedgerFiles, file: string, id: string, limit: number): boolean {
  files.append(file, `T ${id}\n`);
  return countTokens(files.read(file), limit).granted.has(id);
}

/** Windows that are over: nobody reads them again. */
function sweepMinutes(files: LedgerFiles, newest: string): void {
  const number = (name: string) => Number(name.slice(name.lastIndexOf('.') + 1));
  const length = newest.slice(0, newest.lastIndexOf('.') + 1);
  for (const name of files.list()) {
    const over = name.startsWith(length) && number(name) < number(newest) - 2;
    if (over || (name.startsWith('minute.') && !name.startsWith(length))) files.remove(name);
  }
}

function spent(what: string, ms: number): Failure {
  const back = new Date(Date.now() + ms).toISOString().slice(0, 16).replace('T', ' ');
  return new Failure('limit', `${what}.`, {
    hint: `Nothing was sent. Ask again after ${back} UTC.`,
    retryAfter: Math.ceil(ms / 1000),
  });
}

function permit(files: LedgerFiles, lease: Lease, waited: number, leave: () => void): Permit {
  let settled = false;
  return {
    waited,
    settle(result) {
      if (settled) return;
      settled = true;
      try {
        account(files, lease, result);
      } finally {
        lease.end(result.underWay);
        leave();
      }
    },
  };
}

/** The service does not count these (interface, "Limits"). */
const UNCOUNTED: ReadonlySet<number> = new Set([401, 429, 500, 503, 504]);

/** Writes down what an answer tells of the account. */
function account(files: LedgerFiles, lease: Lease, settlement: Settlement): void {
  const { status, headers, violated, sent, received } = settlement;
  const { taken } = lease;
  if (taken === null) return;
  if (settlement.unsent || (status !== null && UNCOUNTED.has(status))) {
    for (const name of taken.minutes) files.append(name, `B ${lease.id}\n`);
    giveBackToMonth(files, taken.month);
  }
  if (status === null) return;
  const before = readKnowledge(files);
  const after = learn(before, headers, sent, received);
  writeKnowledge(files, before, after);
  for (const said of readLimitHeaders(headers).remainders) {
    if (said.name === 'month') correctMonth(files, taken.month, after.quotas.month, said);
    if (said.name === 'minute') correctMinute(files, taken.minutes, after, said.remaining, sent, received);
  }
  if (status !== 429) return;
  if (violated.includes('month')) closeMonth(files, taken.month, after.quotas.month, received);
  else if (violated.includes('minute')) {
    const until = received + Math.min(PAUSE_MAX, retryAfter(headers, received) ?? 1000);
    if (until > (Number(files.read(PAUSE)) || 0)) files.replace(PAUSE, String(until));
  }
}

/** Requests of the account that are not in our log were made elsewhere: they are written down for all. */
function correctMinute(
  files: LedgerFiles,
  minutes: readonly string[],
  { quotas, clock }: Knowledge,
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

interface Word {
  say(event: ClientEvent): void;
  /** Whether there was anything to wait for. */
  said(): boolean;
}

/** Says each kind of wait once, when it has lasted. */
function onceAfter(ms: number, report: (event: ClientEvent) => void): Word {
  const first = Date.now();
  const told = new Set<string>();
  let waited = false;
  return {
    say(event) {
      waited = true;
      const kind = event.type === 'waiting' ? event.for : event.type;
      if (Date.now() - first < ms || told.has(kind)) return;
      told.add(kind);
      report(event);
    },
    said: () => waited,
  };
}

/** Lets so many in at a time, in the order they came. */
function turnstile(size: () => number) {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    enter(signal: AbortSignal | null): Promise<void> {
      if (inside < size()) {
        inside++;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const abort = () => {
          waiting.splice(waiting.indexOf(go), 1);
          reject(signal?.reason);
        };
        const go = () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        };
        waiting.push(go);
        signal?.addEventListener('abort', abort, { once: true });
      });
    },
    /** The place goes to the next in the row, so that nobody slips in between. */
    leave(): void {
      const next = waiting.shift();
      if (next === undefined) inside--;
      else next();
    },
  };
}

function sleep(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
