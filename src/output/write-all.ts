/** Writes to a file descriptor until everything is out: what was returned from is on its way, whatever ends the process. */

import { writeSync } from 'node:fs';
import { codeOf } from '../platform/system-error.ts';

/** The reader of a pipe has gone: nothing is wrong, and nothing more is wanted. */
export class PipeClosed extends Error {
  override readonly name = 'PipeClosed';
}

/** The output is not whole: a full disk, a device that has gone. */
export class OutputLost extends Error {
  override readonly name = 'OutputLost';
}

export const isPipeClosed = (error: unknown): boolean => error instanceof Error && error.name === 'PipeClosed';

const PAUSE_MS = 2;

/** Throws PipeClosed on EPIPE, and OutputLost where the rest cannot be written. */
export function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EPIPE') throw new PipeClosed();
      if (code !== 'EAGAIN') throw new OutputLost(`The output could not be written whole (${code}).`, { cause: error });
      pause(PAUSE_MS);
    }
  }
}

/** The pipe is full and does not block: nothing else is left to do but to let its reader catch up. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
