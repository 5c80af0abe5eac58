import { readSync } from 'node:fs';

/** Fills a buffer from an offset of a file, and returns it. Throws the result of `tooShort` if the file ends before. */
export function readInto<Bytes extends Uint8Array>(
  bytes: Bytes,
  descriptor: number,
  offset: number,
  tooShort: () => Error,
): Bytes {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, offset + done);
    if (count === 0) throw tooShort();
    done += count;
  }
  return bytes;
}
