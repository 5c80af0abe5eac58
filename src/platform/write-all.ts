/** Synchronous writes to a descriptor: when they return, the text is written, however the process ends. */

import { writeSync } from 'node:fs';
import { hasCode } from '../contract/error-code.ts';
import { codeOf } from './system-error.ts';

/** The reader has closed the pipe: not an error, but nothing more can be written. */
class PipeClosed extends Error {
  override readonly name = 'PipeClosed';
  readonly code = 'fin:pipe-closed';
}

/** The output is incomplete, as on a full disk. */
class OutputLost extends Error {
  override readonly name = 'OutputLost';
  readonly code = 'fin:output-lost';
}

export const isOutputLost = (error: unknown): boolean => hasCode(error, 'fin:output-lost');
export const isPipeClosed = (error: unknown): boolean => hasCode(error, 'fin:pipe-closed');

const PAUSE_MS = 2;

/** Throws PipeClosed on EPIPE, and OutputLost if the rest cannot be written. */
export function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let index = 0; index < bytes.length; ) {
    try {
      index += writeSync(descriptor, bytes, index);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EPIPE') throw new PipeClosed();
      if (code !== 'EAGAIN')
        throw new OutputLost(`The output could not be written completely (${code}).`, { cause: error });
      pause(PAUSE_MS);
    }
  }
}

/** Waits for the reader of a full, non-blocking pipe. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
