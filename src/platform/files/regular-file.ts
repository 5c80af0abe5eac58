/** Opens files for reading without blocking, because opening a pipe without a writer would block the whole process. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { sleep } from '../builtins/loaded-on-use.ts';
import { readErrorCode } from './system-error.ts';

/**
 * Returns a file descriptor. Throws the system error, or an error if the path is a directory, pipe, device or socket.
 */
export function openRegularFile(path: string): number {
  const fd = openWithoutBlocking(path);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  // EFTYPE is the BSD code for an unsupported file type; Linux has no such code.
  throw Object.assign(new Error(NOT_REGULAR_REASON), { code: 'EFTYPE', syscall: 'open', path });
}

/** Returns a file descriptor of a file, pipe or device. Throws the system error. */
export function openWithoutBlocking(path: string): number {
  // Windows lacks this flag, and has no named pipes in directories.
  return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/** Default maximum size of a text file in bytes; settings files and manifests are smaller. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024;

/** Returns the file's text. Throws like `openRegularFile`, and an error if the file is larger than `maxBytes`. */
export const readRegularFile = (path: string, encoding: 'utf8' | 'latin1' = 'utf8', maxBytes = MAX_TEXT_BYTES) =>
  readRegularBytes(path, maxBytes).toString(encoding);

/** Returns the file's text; null if the file is missing or cannot be read. */
export function readIfReadable(path: string): string | null {
  try {
    return readRegularFile(path);
  } catch {
    return null;
  }
}

/** Returns the file's bytes. Throws like `readRegularFile`. */
export function readRegularBytes(path: string, maxBytes: number = Number.POSITIVE_INFINITY): Buffer {
  const fd = openRegularFile(path);
  try {
    const { size } = fstatSync(fd);
    if (size > maxBytes) throw new RangeError(`it has ${size} bytes, more than the allowed ${maxBytes}`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

export const NOT_REGULAR_REASON = 'it is not a regular file';

const READ_POLL_MS = 20;

/** Maximum time in milliseconds to wait for a pipe or terminal. */
const MAX_WAIT_MS = 60_000;

/**
 * Returns the text of a file, pipe or terminal, up to `maxBytes`. Throws the system error, the signal's reason if the
 * signal aborts, or an error if the end does not come within a minute. Never blocks, because Ctrl-C
 * cannot end a blocked read.
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
export function readIfReady(fd: number, bytes: Uint8Array): number | null {
  try {
    return readSync(fd, bytes);
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'EAGAIN') return null;
    // Windows reports the end of a pipe as an error.
    if (code === 'EOF') return 0;
    throw error;
  }
}

/**
 * Fills a buffer with the bytes at an offset of a file, and returns it. Throws the result of `makeError` if
 * the file ends too early.
 */
export function readInto<T extends Uint8Array>(bytes: T, fd: number, offset: number, makeError: () => Error): T {
  for (let bytesRead = 0; bytesRead < bytes.length; ) {
    const count = readSync(fd, bytes, bytesRead, bytes.length - bytesRead, offset + bytesRead);
    if (count === 0) throw makeError();
    bytesRead += count;
  }
  return bytes;
}
