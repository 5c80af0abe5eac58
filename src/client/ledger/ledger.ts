/**
 * The budget of one account, shared by all processes of one user through files: a slot, a token of the
 * minute, one request of the month. First in first out; nobody waits for a process that is gone.
 */

import { Failure } from '../../contract/failure.ts';
import type { Budget, Permit } from '../budget.ts';
import type { ClientEvent } from '../types.ts';
import { account, minuteFile, PAUSE, type Taken } from './account-for.ts';
import type { LedgerFiles } from './files.ts';
import { type Knowledge, readKnowledge } from './knowledge.ts';
import { takeOfMonth } from './month.ts';
import { startPace } from './pace.ts';
import { type SlotTicket, takeTicket } from './slots.ts';
import { LEASE } from './tickets.ts';
import { countTokens } from './tokens.ts';
import { onceAfter, sleep, turnstile, type Word } from './waiting.ts';
import { doubtOf, monthAt, type Window, windowAt } from './windows.ts';

export interface LedgerSetup {
  readonly files: LedgerFiles;
  /** A pause longer than this is not sat out. */
  readonly maxWait: number;
  readonly report: (event: ClientEvent) => void;
}

const SLOTS = 'slots';
const BEAT_EVERY = 10_000;
/** The longest sleep between two looks at the files, by what is waited for (ms). */
const LOOK_EVERY = 250;
/** So long does a ticket wait for those before it to begin, when there is a slot for each of them (ms). */
const PATIENCE = 1000;
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
          if ((await slot(files, lease, maxWait, signal, word)) && (await token(files, lease, maxWait, signal, word)))
            break;
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
  taken: Taken | null;
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

/** Waits for the ticket's turn; false where it was lost. Throws where all before it wait for longer than is worth it. */
async function slot(
  files: LedgerFiles,
  lease: Lease,
  maxWait: number,
  signal: AbortSignal | null,
  word: Word,
): Promise<boolean> {
  const pace = startPace();
  let called: number | null = null;
  for (;;) {
    const place = lease.ticket.look();
    if (place === null) return false;
    const now = Date.now();
    const known = readKnowledge(files);
    const over = place.ahead - known.quotas.concurrent;
    if (over < 0) {
      called ??= now;
      if (place.late.length === 0) break;
      // A slot is free, but whose turn it is first has not taken it: stopped, perhaps.
      if (now - called > PATIENCE) lease.ticket.passOver(place.late);
    }
    if (maxWait < known.quotas.minuteLength) refuseSpent(files, known, maxWait, now);
    word.say({ type: 'waiting', for: 'slot', until: null });
    await sleep(pace(Math.max(0, over), now), signal);
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
    refuseSpent(files, known, maxWait, now);
    word.say({ type: 'waiting', for: paused > now ? 'pause' : 'minute', until });
    await sleep(Math.min(LOOK_EVERY, Math.max(1, until - now)), signal);
  }
}

/**
 * Throws where the window's requests are spent, and its end lies further away than is waited for. Standing in line is
 * no such wait: who stands behind many windows' worth of others waits for one window at a time.
 */
function refuseSpent(files: LedgerFiles, { quotas, clock }: Knowledge, maxWait: number, now: number): void {
  const { end, index } = windowAt(now, quotas.minuteLength, clock);
  if (end - now <= maxWait) return;
  const { used, limit } = countTokens(files.read(minuteFile(quotas.minuteLength, index)), quotas.minute);
  const length = quotas.minuteLength === 60_000 ? 'a minute' : `in ${quotas.minuteLength / 1000} s`;
  if (used >= limit) throw spent(`The account's limit (${limit} ${length}) is spent`, end - now);
}

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
  lease.taken = { id: lease.id, minutes: asked, month: month.index };
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
  const back = new Date(Date.now() + ms)
    .toISOString()
    .slice(0, ms < 120_000 ? 19 : 16)
    .replace('T', ' ');
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
        if (lease.taken !== null) account(files, lease.taken, result);
      } finally {
        lease.end(result.underWay);
        leave();
      }
    },
  };
}
