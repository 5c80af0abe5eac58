/**
 * Limits the requests of all processes of a user together to seven per second; the site allows ten. A process reserves
 * a slot of 150 ms by creating a file with the number of the slot as its name, which only one process can do. It sends
 * its request when the slot begins.
 */
import { join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { sleep } from '../../platform/builtins/loaded-on-use.ts';
import { openFilesWithFallback, openMemoryFiles, type SharedFiles } from '../../platform/processes/shared-files.ts';

/** Length of a slot. Seven slots take 1.05 s, so no eight requests start within a second, even if the first is late. */
export const SLOT_MS = 150;
/** Delay in milliseconds after which a process has missed its slot and reserves another. */
const MAX_SLOT_DELAY_MS = 40;
/** Number of slots after which the files of past slots are removed. */
const MAX_SLOTS_BEHIND = 40;
/** A slot reserved farther in the future than this number of slots is removed: the clock must have been set back. */
const MAX_SLOTS_AHEAD = 20_000;
const SLOTS_PER_CLEANUP = 64;
/** File with the start and end of the last pause (epoch milliseconds), in which no process may send requests. */
const PAUSE_FILE_NAME = 'pause';

export type RequestSpacing = ReturnType<typeof openRequestSpacing>;

interface RequestSpacingOptions {
  /** A directory shared by all processes of the user; null limits the requests of this process only. */
  readonly directory: string | null;
  /** Maximum pause in milliseconds that a process waits for. */
  readonly maxPauseMs: number;
  /** Called once if the directory becomes unusable. Afterwards, only the requests of this process are limited. */
  readonly onError: (error: unknown) => void;
}

/** Returns the directory in which all processes of the user share the pace of a host; null without a state directory. */
export const findRequestSpacingDirectory = (state: string | null, host: string): string | null =>
  state === null ? null : join(state, 'fetch', host.replace(/[^a-z0-9.-]/gi, '_'));

export function openRequestSpacing({ directory, maxPauseMs, onError }: RequestSpacingOptions) {
  const files = directory === null ? openMemoryFiles() : openFilesWithFallback(directory, onError);
  let attempts = 0;
  const tryTake = (slot: number): boolean => {
    if (attempts++ % SLOTS_PER_CLEANUP === 0) removeStaleSlots(files, slot);
    return files.createEmpty(String(slot));
  };
  const readPause = () => parsePauseEnd(files.read(PAUSE_FILE_NAME), Date.now());
  return {
    /**
     * Resolves when a request may be sent; the caller must send the request immediately. Throws a `limit` Failure if
     * the site requires a pause longer than `maxPauseMs`.
     */
    async waitForSlot(signal: AbortSignal) {
      for (;;) {
        await waitForPause(readPause(), maxPauseMs, signal);
        let slot = Math.floor(Date.now() / SLOT_MS) + 1;
        while (!tryTake(slot)) slot += 1;
        while (Date.now() < slot * SLOT_MS) await sleep(slot * SLOT_MS - Date.now(), signal);
        signal.throwIfAborted();
        const isLate = Date.now() - slot * SLOT_MS > MAX_SLOT_DELAY_MS;
        if (!isLate && readPause() <= Date.now()) return;
      }
    },
    /** Stops the requests of all processes for `pauseMs` milliseconds. */
    pause(pauseMs: number) {
      const nowMs = Date.now();
      files.replace(PAUSE_FILE_NAME, `${nowMs} ${Math.max(nowMs + pauseMs, readPause())}`);
    },
  };
}

/** Returns the end of a pause; 0 without a valid pause, or if the clock was set back since the pause was made. */
function parsePauseEnd(text: string, nowMs: number): number {
  const [, beginText, endText] = /^(\d{1,15}) (\d{1,15})$/.exec(text) ?? [];
  return beginText === undefined || Number(beginText) > nowMs ? 0 : Number(endText);
}

async function waitForPause(resumeMs: number, maxPauseMs: number, signal: AbortSignal): Promise<void> {
  const pauseMs = resumeMs - Date.now();
  if (pauseMs > maxPauseMs) throw makePauseFailure(pauseMs);
  if (pauseMs > 0) await sleep(pauseMs, signal);
}

/** Returns the Failure for a pause of `pauseMs` milliseconds that the program does not wait for. */
export function makePauseFailure(pauseMs: number): Failure {
  const time = new Date(Date.now() + pauseMs).toISOString().slice(0, 16).replace('T', ' ');
  const text = 'The server of the public files refuses requests for a while, because it received too many.';
  const hint =
    `Files fetched so far are kept; run the same command again after ${time} UTC to continue. Stop other ` +
    'programs at the same IP address that use this server: their requests count too, and prolong the pause.';
  return new Failure('limit', text, { hint, retryAfter: Math.ceil(pauseMs / 1000) });
}

function removeStaleSlots(files: SharedFiles, currentSlot: number): void {
  for (const name of files.list()) {
    const slot = /^\d{1,15}$/.test(name) ? Number(name) : currentSlot;
    if (slot < currentSlot - MAX_SLOTS_BEHIND || slot > currentSlot + MAX_SLOTS_AHEAD) files.remove(name);
  }
}
