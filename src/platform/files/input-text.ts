/**
 * Reads text files that the user names: lists, certificates, limits. They may be pipes, as in `<(command)`, and may have
 * a byte order mark or be UTF-16, as Windows PowerShell writes them.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { openWithoutBlocking } from './regular-file.ts';
import { readErrorCode } from './system-error.ts';

/** Maximum size of a file in bytes; lists and certificates are far shorter. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

/** Maximum time in milliseconds to wait for the next bytes of a pipe. */
const MAX_WAIT_MS = 60_000;

const POLL_MS = 20;
const CHUNK_BYTES = 64 * 1024;

/**
 * Returns the text of a file or pipe. Throws the system error, or an error if the file is too large or the pipe sends
 * nothing.
 */
export function readInputText(path: string, maxWaitMs = MAX_WAIT_MS): string {
  // Opening /dev/stdin again would fail for a socket.
  const isStdin = path === '-' || path === '/dev/stdin';
  const fd = isStdin ? 0 : openWithoutBlocking(path);
  try {
    if (fstatSync(fd).isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' });
    return decodeText(readToEnd(fd, maxWaitMs));
  } finally {
    if (!isStdin) closeSync(fd);
  }
}

function readToEnd(fd: number, maxWaitMs: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  let waitedMs = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readIfReady(fd, chunk);
    if (count === 0) return Buffer.concat(chunks);
    if (count === null) {
      if (waitedMs >= maxWaitMs) throw new Error(`it sent nothing for ${maxWaitMs / 1000} s`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
      waitedMs += POLL_MS;
      continue;
    }
    waitedMs = 0;
    size += count;
    if (size > MAX_INPUT_BYTES) throw new RangeError(`it is larger than ${MAX_INPUT_BYTES} bytes`);
    chunks.push(chunk.subarray(0, count));
  }
}

/** Returns the number of bytes read, 0 at the end; null if a pipe or terminal has no data yet. */
function readIfReady(fd: number, bytes: Uint8Array): number | null {
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

/** Returns text of UTF-8, or of UTF-16 with a byte order mark, without the mark. */
export function decodeText(bytes: Buffer): string {
  const encoding = findEncoding(bytes);
  // Without loading a TextDecoder, which takes longer than reading the settings.
  return encoding === 'utf-8' ? bytes.toString().replace(/^\ufeff/, '') : new TextDecoder(encoding).decode(bytes);
}

/** Returns the encoding that the byte order mark states; UTF-8 without a mark. */
export function findEncoding([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
