import { readSync } from 'node:fs';

/**
 * Fills a buffer with the bytes at an offset of a file, and returns it. Throws the result of `makeTooShortError` if
 * the file ends too early.
 */
export function readInto<Bytes extends Uint8Array>(
  bytes: Bytes,
  descriptor: number,
  offset: number,
  makeTooShortError: () => Error,
): Bytes {
  for (let bytesRead = 0; bytesRead < bytes.length; ) {
    const count = readSync(descriptor, bytes, bytesRead, bytes.length - bytesRead, offset + bytesRead);
    if (count === 0) throw makeTooShortError();
    bytesRead += count;
  }
  return bytes;
}
