import { readSync } from 'node:fs';

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
