/**
 * Enforces the request limits of one account across all processes of a user, through shared files. Each request needs a
 * concurrency slot, a rate token of the current minute, and one request of the month. First in, first out; a dead
 * process does not block others.
 */
import { sleep } from '../../platform/builtins/loaded-on-use.ts';
import { describeCause } from '../../platform/files/system-error.ts';
import { joinQueue } from '../../platform/processes/queue.ts';
import { LEASE_MS } from '../../platform/processes/queue-log.ts';
import { openFilesWithFallback, openMemoryFiles, type SharedFiles } from '../../platform/processes/shared-files.ts';
import { createSlots } from '../../platform/workers/gate.ts';
import type { ClientOptions } from '../request/client-options.ts';
import type { ClientEvent } from '../request/events.ts';
import { getAccountDirectory, readLimits, SLOTS_QUEUE_NAME } from './account-limits.ts';
import { type RequestOutcome, readPauseEnd, recordResponse } from './record-response.ts';
import { makeLimitReachedFailure, refuseSpentWindow, takeTokens } from './tokens.ts';
import { computeUncertainty, findWindowAt } from './windows.ts';

export type RateLimiter = ReturnType<typeof openRateLimiter>;

export interface Permit {
  /** Milliseconds spent waiting. */
  readonly waited: number;
  /** Records the outcome of the request, and frees its slot. Must be called once. */
  settle(outcome: RequestOutcome): void;
}

/** `maxWait` limits each wait for the end of a window or pause, as the deadline does; a longer wait fails immediately. */
interface RateLimiterSetup extends Pick<ClientOptions, 'maxWait'>, Partial<Pick<ClientOptions, 'deadline'>> {
  readonly files: SharedFiles;
  readonly report: (event: ClientEvent) => void;
}

const HEARTBEAT_MS = 10_000;
/**
 * Maximum sleep in milliseconds between attempts to take a token. A token may become free at any time, because another
 * process may return its token.
 */
const TOKEN_POLL_MS = 250;
/** Milliseconds after which a process may take a free slot ahead of earlier entries that have not taken it. */
const SLOT_GRACE_MS = 1000;
/** Minimum wait in milliseconds that is reported. */
const MIN_REPORTED_WAIT_MS = 300;
/** Milliseconds added to a window's start, because this machine's clock may be slightly fast. */
const WINDOW_MARGIN_MS = 25;

/**
 * Opens the files of an account's rate limiter.
 * @param state the user's state directory; if null, limits apply to this process only
 */
export function openLimiterFiles(state: string | null, account: string, report: (event: ClientEvent) => void) {
  const consequence =
    'This process counts only its own requests; together with other processes it may exceed the limits.';
  if (state === null) {
    const text = `The counts of requests cannot be stored, because HOME is not set to a directory that this user can enter. ${consequence}`;
    report({ type: 'notice', text });
    return openMemoryFiles();
  }
  const folder = getAccountDirectory(state, account);
  return openFilesWithFallback(folder, (error) => {
    const text = `The counts of requests in ${folder} cannot be written: ${describeCause(error)}. ${consequence}`;
    report({ type: 'notice', text });
  });
}

export function openRateLimiter({ files, maxWait, deadline, report }: RateLimiterSetup) {
  const computeMaxWait = (now: number) => Math.min(maxWait, (deadline ?? Number.POSITIVE_INFINITY) - now);
  // One process joins the shared queue with at most as many requests as there are slots.
  const queue = createSlots(() => readLimits(files).quotas.concurrent);

  /** Returns the function that settles the request; null if the process lost its place, because it was stopped. */
  async function tryAdmit(signal: AbortSignal | null, reporter: WaitContext['reporter']) {
    const lease = takeLease(files);
    try {
      const context = { files, lease, computeMaxWait, signal, reporter };
      const tokens = (await waitForSlot(context)) ? await waitForTokens(context) : null;
      if (tokens !== null)
        return (outcome: RequestOutcome) => {
          try {
            recordResponse(files, tokens, outcome);
          } finally {
            lease.end(outcome.isUnderWay);
            queue.leave();
          }
        };
    } catch (error) {
      lease.end(false);
      throw error;
    }
    lease.end(false);
    return null;
  }

  return {
    /**
     * Resolves when one request may be sent, first in, first out. Throws a `limit` Failure if the wait would be too
     * long.
     */
    async admit(signal: AbortSignal | null): Promise<Permit> {
      const start = Date.now();
      const reporter = createWaitReporter(report);
      await queue.enter(signal);
      try {
        for (;;) {
          const settle = await tryAdmit(signal, reporter);
          if (settle !== null) return { waited: reporter.hasWaited() ? Date.now() - start : 0, settle };
        }
      } catch (error) {
        queue.leave();
        throw error;
      }
    },
  };
}

/** Joins the queue for slots, with the heartbeat that retains the place. */
function takeLease(files: SharedFiles) {
  const place = joinQueue(files, SLOTS_QUEUE_NAME);
  let lastHeartbeatMs = Date.now();
  const isValid = () => Date.now() - lastHeartbeatMs <= LEASE_MS / 2;
  const timer = setInterval(() => {
    // A process that was stopped for too long has lost its place, and a late heartbeat must not reclaim it.
    if (!isValid()) return;
    lastHeartbeatMs = Date.now();
    place.heartbeat();
  }, HEARTBEAT_MS).unref();
  return {
    place,
    /** Whether all heartbeats were in time, so that the place in the queue is not lost. */
    isValid,
    /**
     * Leaves the queue.
     * @param mayContinue whether the service may still be processing the request
     */
    end(mayContinue: boolean) {
      clearInterval(timer);
      place.release(mayContinue);
    },
  };
}

interface WaitContext {
  readonly files: SharedFiles;
  readonly lease: ReturnType<typeof takeLease>;
  /** Returns the maximum wait in milliseconds from a time (epoch ms). */
  readonly computeMaxWait: (now: number) => number;
  readonly signal: AbortSignal | null;
  readonly reporter: ReturnType<typeof createWaitReporter>;
}

/**
 * Waits for a concurrency slot; returns false if the place in the queue was lost. Throws if the wait for the next
 * window would be too long.
 */
async function waitForSlot({ files, lease, computeMaxWait, signal, reporter }: WaitContext): Promise<boolean> {
  const computeInterval = createIntervalComputer();
  let freeSinceMs: number | null = null;
  for (;;) {
    const place = lease.place.findPosition();
    if (place === null) return false;
    const now = Date.now();
    const limits = readLimits(files);
    const excess = place.aheadCount - limits.quotas.concurrent;
    if (excess < 0) {
      freeSinceMs ??= now;
      if (place.notStartedEntries.length === 0) break;
      // A slot is free, but the entries ahead have not taken it, probably because their processes are stopped.
      if (now - freeSinceMs > SLOT_GRACE_MS) lease.place.skip(place.notStartedEntries);
    }
    const maxWait = computeMaxWait(now);
    if (maxWait < limits.quotas.minuteLength) refuseSpentWindow(files, limits, maxWait, now);
    reporter.report({ type: 'waiting', for: 'slot', until: null });
    await sleep(computeInterval(Math.max(0, excess), now), signal);
  }
  lease.place.start();
  return true;
}

/** Waits for a rate token; returns null if the slot was lost meanwhile. Throws if the wait would be too long. */
async function waitForTokens({ files, lease, computeMaxWait, signal, reporter }: WaitContext) {
  for (;;) {
    if (!lease.isValid()) return null;
    const now = Date.now();
    const maxWait = computeMaxWait(now);
    const limits = readLimits(files);
    const pausedUntilMs = readPauseEnd(files, now);
    if (pausedUntilMs - now > maxWait)
      throw makeLimitReachedFailure('A limit of the account is reached', pausedUntilMs - now);
    const window = findWindowAt(now, limits.quotas.minuteLength, limits.clock, limits.shift);
    const opensAtMs = Math.max(pausedUntilMs, window.start + WINDOW_MARGIN_MS + computeUncertainty(limits.clock));
    const tokens = opensAtMs > now ? null : takeTokens(files, lease.place.id, limits, window, now);
    if (tokens !== null) return tokens;
    const until = opensAtMs > now ? opensAtMs : window.end;
    refuseSpentWindow(files, limits, maxWait, now);
    reporter.report({ type: 'waiting', for: pausedUntilMs > now ? 'pause' : 'minute', until });
    await sleep(Math.min(TOKEN_POLL_MS, Math.max(1, until - now)), signal);
  }
}

/** Returns a reporter that reports each kind of wait once, and only after a minimum duration. */
function createWaitReporter(report: (event: ClientEvent) => void) {
  const start = Date.now();
  const reasons = new Set<string>();
  let hasWaited = false;
  return {
    report(event: Extract<ClientEvent, { type: 'waiting' }>): void {
      hasWaited = true;
      if (Date.now() - start < MIN_REPORTED_WAIT_MS || reasons.has(event.for)) return;
      reasons.add(event.for);
      report(event);
    },
    /** Whether the request had to wait. */
    hasWaited: (): boolean => hasWaited,
  };
}

const FIRST_POLL_MS = 20;
const MIN_POLL_MS = 10;
/** Maximum interval in milliseconds for the first entries of the queue. */
const MAX_HEAD_POLL_MS = 50;
/** Maximum interval in milliseconds for all other entries. */
const MAX_POLL_MS = 2000;
/** Milliseconds by which the maximum interval grows with each entry ahead. */
const MAX_POLL_MS_PER_ENTRY = 10;

/**
 * Returns a function that computes, from the number of entries ahead and the current time (ms), after how many
 * milliseconds a process reads the queue again: by then, about half of these entries should have left. More frequent
 * reads would cost too much if many processes wait; a longer sleep would delay later entries.
 */
export function createIntervalComputer(): (entryCount: number, now: number) => number {
  let first: { readonly entries: number; readonly at: number } | null = null;
  let intervalMs = 0;
  let previous = -1;
  return (entryCount, now) => {
    first ??= { entries: entryCount, at: now };
    const departedCount = first.entries - entryCount;
    if (departedCount <= 0) intervalMs = intervalMs === 0 ? FIRST_POLL_MS * (entryCount + 1) : intervalMs * 1.5;
    else if (entryCount === previous) intervalMs *= 1.5;
    else intervalMs = ((now - first.at) / departedCount) * ((entryCount + 1) / 2);
    previous = entryCount;
    const maxMs = Math.max(MAX_HEAD_POLL_MS, MAX_POLL_MS_PER_ENTRY * entryCount);
    intervalMs = Math.min(MAX_POLL_MS, maxMs, Math.max(MIN_POLL_MS, intervalMs));
    return intervalMs;
  };
}
