/** Reads the start of a file, pipe or terminal without blocking, because Ctrl-C cannot end a blocked read. */
import { closeSync, readSync } from 'node:fs';
import { sleep } from './builtins/sleep.ts';
import { openWithoutBlocking } from './files/regular-file.ts';
import { readErrorCode } from './files/system-error.ts';

const READ_POLL_MS = 20;

/** Maximum time in milliseconds to wait for a pipe or terminal. */
const MAX_WAIT_MS = 60_000;

/**
 * Returns the text of a file, pipe or terminal, up to `maxBytes`. Throws the system error, the signal's reason if the
 * signal aborts, or an error if the end does not come within a minute.
 */
export async function readStart(path: string, maxBytes: number, signal: AbortSignal | null): Promise<string> {
  const fd = openWithoutBlocking(path);
  const bytes = Buffer.alloc(maxBytes);
  let readByteCount = 0;
  const deadline = Date.now() + MAX_WAIT_MS;
  try {
    for (let count: number | null = null; count !== 0 && readByteCount < bytes.length; readByteCount += count ?? 0) {
      count = readIfReady(fd, bytes.subarray(readByteCount));
      if (count === null && Date.now() > deadline)
        throw new Error(`its end did not come within ${MAX_WAIT_MS / 1000} s`);
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
