/**
 * At most eight requests in any second, of all processes of one user together.
 *
 * Time is cut into slots, and a slot is taken by making a file of its name, which only one process can. Requests are
 * sent at the beginning of their slots, so that nine would need eight whole slots between the first and the last: 1.2
 * seconds, which leaves 160 ms for one that is late on its way. The site's own limit is ten.
 */

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { sleep } from '../../platform/sleep.ts';
import { codeOf } from '../../platform/system-error.ts';
import type { RequestSpacing } from './types.ts';

export const SLOT_MS = 150;
/** A process that wakes later than this has missed its slot. */
const LATE_MS = 40;
/** Slots older than this are of no use to anybody. */
const OLD_SLOTS = 40;
/** No process waits so far ahead: the clock was set back. */
const FAR_SLOTS = 20_000;
const SWEEP_EVERY = 64;
const PAUSE = 'pause';

export interface RequestSpacingOptions {
  /** Shared by all processes of the user; null keeps this process alone to the pace. */
  readonly directory: string | null;
  /** A longer pause than this (ms) is not sat out. */
  readonly longestPause: number;
  /** Told once, when the directory cannot be used: from then on this process keeps to the pace alone. */
  readonly failed: (error: unknown) => void;
}

export function openRequestSpacing({
  directory,
  longestPause: longest,
  failed,
}: RequestSpacingOptions): RequestSpacing {
  const slots = directory === null ? ownSlots() : sharedSlots(directory, failed);
  return {
    async waitForSlot(signal) {
      for (;;) {
        await sitOut(slots.pausedUntil(), longest, signal);
        let slot = Math.floor(Date.now() / SLOT_MS) + 1;
        while (!slots.take(slot)) slot += 1;
        while (Date.now() < slot * SLOT_MS) await sleep(slot * SLOT_MS - Date.now(), signal);
        signal.throwIfAborted();
        const missed = Date.now() - slot * SLOT_MS > LATE_MS;
        if (!missed && slots.pausedUntil() <= Date.now()) return;
      }
    },
    pause: (milliseconds) => slots.pauseUntil(Date.now() + milliseconds),
  };
}

async function sitOut(until: number, longest: number, signal: AbortSignal): Promise<void> {
  const wait = until - Date.now();
  if (wait <= 0) return;
  if (wait <= longest) return sleep(wait, signal);
  throw pauseFailure(wait);
}

/** @param wait in milliseconds */
export function pauseFailure(wait: number): Failure {
  const back = new Date(Date.now() + wait).toISOString().slice(0, 16).replace('T', ' ');
  return new Failure('limit', 'The site has asked for a pause: it counted too many requests.', {
    hint:
      `What is fetched is kept; run the same again after ${back} UTC and it goes on from there. ` +
      'Other programs at the same address count too, and until all of them are quiet the pause does not end.',
    retryAfter: Math.ceil(wait / 1000),
  });
}

interface Slots {
  take(slot: number): boolean;
  /** Epoch milliseconds; 0 where there is no pause. */
  pausedUntil(): number;
  pauseUntil(time: number): void;
}

function ownSlots(): Slots {
  let [taken, paused] = [0, 0];
  return {
    take: (slot) => {
      if (slot <= taken) return false;
      taken = slot;
      return true;
    },
    pausedUntil: () => paused,
    pauseUntil: (time) => {
      paused = Math.max(paused, time);
    },
  };
}

function sharedSlots(directory: string, failed: (error: unknown) => void): Slots {
  let slots: Slots | null = null;
  let count = 0;
  const own = ownSlots();
  const guard = <T>(shared: () => T, alone: (slots: Slots) => T): T => {
    if (slots !== null) return alone(slots);
    try {
      return shared();
    } catch (error) {
      slots = own;
      failed(error);
      return alone(own);
    }
  };
  return {
    take: (slot) =>
      guard(
        () => {
          if (count++ % SWEEP_EVERY === 0) {
            mkdirSync(directory, { recursive: true, mode: 0o700 });
            sweep(directory, slot);
          }
          return makeNew(join(directory, String(slot)));
        },
        (alone) => alone.take(slot),
      ),
    pausedUntil: () => Math.max(own.pausedUntil(), readPause(directory)),
    pauseUntil: (time) => {
      own.pauseUntil(time);
      guard(
        () => writeFileSync(join(directory, PAUSE), String(Math.max(time, readPause(directory))), { mode: 0o600 }),
        () => undefined,
      );
    },
  };
}

function makeNew(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function readPause(directory: string): number {
  try {
    return Number(readFileSync(join(directory, PAUSE), 'latin1')) || 0;
  } catch {
    return 0;
  }
}

function sweep(directory: string, now: number): void {
  for (const name of readdirSync(directory)) {
    const slot = /^\d{1,15}$/.test(name) ? Number(name) : now;
    if (slot >= now - OLD_SLOTS && slot <= now + FAR_SLOTS) continue;
    try {
      unlinkSync(join(directory, name));
    } catch {
      // Another process sweeps too.
    }
  }
}
