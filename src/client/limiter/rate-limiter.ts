/**
 * The budget of one account, shared by all processes of one user through files: a slot, a token of the
 * minute, one request of the month. First in first out; nobody waits for a process that is gone.
 */

import { joinQueue, type QueuePlace } from '../../platform/queue.ts';
import { LEASE } from '../../platform/queue-log.ts';
import type { SharedFiles } from '../../platform/shared-files.ts';
import { sleep } from '../../platform/sleep.ts';
import type { Permit, RateLimiter } from '../budget.ts';
import type { ClientEvent } from '../events.ts';
import { readLimits } from './limits.ts';
import { startPolling } from './poll-interval.ts';
import { pausedUntil, recordResponse, type Taken } from './record-response.ts';
import { refuseSpent, spent, takeTokens } from './take-tokens.ts';
import { localQueue, onceAfter, type Word } from './waiting.ts';
import { uncertaintyOf, windowAt } from './windows.ts';

export interface RateLimiterSetup {
  readonly files: SharedFiles;
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
/** After a window's start, its requests cannot arrive too early by a clock that is a little fast. */
const LATE_START = 25;

export function openRateLimiter({ files, maxWait, report }: RateLimiterSetup): RateLimiter {
  /** Questions of this process that have a ticket or a request under way: no more than there are slots. */
  const queue = localQueue(() => readLimits(files).quotas.concurrent);
  return {
    async admit(signal) {
      const asked = Date.now();
      const word = onceAfter(SAY_AFTER, report);
      await queue.enter(signal);
      let lease: Lease | null = null;
      try {
        for (;;) {
          lease = takeLease(files);
          const wait = { files, lease, maxWait, signal, word };
          if ((await slot(wait)) && (await token(wait))) break;
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
  readonly ticket: QueuePlace;
  readonly id: string;
  taken: Taken | null;
  /** Whether the owner gave its signs in time. */
  fresh(): boolean;
  end(underWay: boolean): void;
}

let serial = 0;

function takeLease(files: SharedFiles): Lease {
  const ticket = joinQueue(files, SLOTS);
  let seen = Date.now();
  const timer = setInterval(() => {
    // Who was stopped for too long has lost its place, and must not say that it still stands there.
    if (Date.now() - seen > LEASE / 2) return;
    seen = Date.now();
    ticket.heartbeat();
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

/** What is waited with, for a slot and then for a token. */
interface Wait {
  readonly files: SharedFiles;
  readonly lease: Lease;
  readonly maxWait: number;
  readonly signal: AbortSignal | null;
  readonly word: Word;
}

/** Waits for the ticket's turn; false where it was lost. Throws where all before it wait for longer than is worth it. */
async function slot({ files, lease, maxWait, signal, word }: Wait): Promise<boolean> {
  const pace = startPolling();
  let called: number | null = null;
  for (;;) {
    const place = lease.ticket.position();
    if (place === null) return false;
    const now = Date.now();
    const known = readLimits(files);
    const over = place.ahead - known.quotas.concurrent;
    if (over < 0) {
      called ??= now;
      if (place.notStarted.length === 0) break;
      // A slot is free, but whose turn it is first has not taken it: stopped, perhaps.
      if (now - called > PATIENCE) lease.ticket.skip(place.notStarted);
    }
    if (maxWait < known.quotas.minuteLength) refuseSpent(files, known, maxWait, now);
    word.say({ type: 'waiting', for: 'slot', until: null });
    await sleep(pace(Math.max(0, over), now), signal);
  }
  lease.ticket.start();
  return true;
}

/** Waits for a token; false where the slot was lost meanwhile. Throws where the wait is not worth beginning. */
async function token({ files, lease, maxWait, signal, word }: Wait): Promise<boolean> {
  for (;;) {
    if (!lease.fresh()) return false;
    const now = Date.now();
    const known = readLimits(files);
    const paused = pausedUntil(files, now);
    if (paused - now > maxWait) throw spent('A limit of the account is reached', paused - now);
    const window = windowAt(now, known.quotas.minuteLength, known.clock);
    const opens = Math.max(paused, window.start + LATE_START + uncertaintyOf(known.clock));
    const taken = opens > now ? null : takeTokens(files, lease.id, known, window, now);
    if (taken !== null) {
      lease.taken = taken;
      return true;
    }
    const until = opens > now ? opens : window.end;
    refuseSpent(files, known, maxWait, now);
    word.say({ type: 'waiting', for: paused > now ? 'pause' : 'minute', until });
    await sleep(Math.min(LOOK_EVERY, Math.max(1, until - now)), signal);
  }
}

function permit(files: SharedFiles, lease: Lease, waited: number, leave: () => void): Permit {
  let settled = false;
  return {
    waited,
    settle(result) {
      if (settled) return;
      settled = true;
      try {
        if (lease.taken !== null) recordResponse(files, lease.taken, result);
      } finally {
        lease.end(result.underWay);
        leave();
      }
    },
  };
}
