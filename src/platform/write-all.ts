/** Writes synchronously to a file descriptor, so that no text is lost when the process ends. */

import { writeSync } from 'node:fs';
import { hasCode } from '../contract/error-code.ts';
import { readErrorCode } from './files/system-error.ts';

/** Thrown if the reader closed the pipe, as `head` does: not a fault, but nothing more can be written. */
class PipeClosedError extends Error {
  override readonly name = 'PipeClosed';
  readonly code = 'fin:pipe-closed';
}

/** Thrown if the output is incomplete, for example because the disk is full. */
class OutputLostError extends Error {
  override readonly name = 'OutputLost';
  readonly code = 'fin:output-lost';
}

export const isOutputLost = (error: unknown): boolean => hasCode(error, 'fin:output-lost');
export const isPipeClosed = (error: unknown): boolean => hasCode(error, 'fin:pipe-closed');

const PAUSE_MS = 2;

/** Writes all text. Throws PipeClosedError on EPIPE, and OutputLostError if some of the text cannot be written. */
export function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let count = 0; count < bytes.length; ) {
    try {
      count += writeSync(fd, bytes, count);
    } catch (error) {
      const code = readErrorCode(error);
      if (code === 'EPIPE') throw new PipeClosedError();
      if (code !== 'EAGAIN')
        throw new OutputLostError(`The output could not be written completely (${code}).`, { cause: error });
      pause(PAUSE_MS);
    }
  }
}

/** Blocks briefly, to let the reader empty a full non-blocking pipe. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
