/** Reads the start of a file, pipe or terminal without blocking, because Ctrl-C cannot end a blocked read. */
import { closeSync, readSync } from 'node:fs';
import { sleep } from './builtins/sleep.ts';
import { openWithoutBlocking } from './files/regular-file.ts';
import { readErrorCode } from './files/system-error.ts';

const READ_POLL_MS = 20;

/**
 * Returns the text of a file, pipe or terminal, up to `maxBytes`. Throws the system error, or the signal's reason if
 * the signal aborts.
 */
export async function readStart(path: string, maxBytes: number, signal: AbortSignal | null): Promise<string> {
  const fd = openWithoutBlocking(path);
  const bytes = Buffer.alloc(maxBytes);
  let readByteCount = 0;
  try {
    for (let count: number | null = null; count !== 0 && readByteCount < bytes.length; readByteCount += count ?? 0) {
      count = readIfReady(fd, bytes.subarray(readByteCount));
      if (count === null) await sleep(READ_POLL_MS, signal);
    }
  } finally {
    closeSync(fd);
  }
  return bytes.toString('utf8', 0, readByteCount);
}

/** Returns the number of bytes read, 0 at the end; null if a pipe or terminal has no data yet. */
function readIfReady(fd: number, bytes: Uint8Array): number | null {
  try {
    return readSync(fd, bytes);
  } catch (error) {
    if (readErrorCode(error) === 'EAGAIN') return null;
    throw error;
  }
}
