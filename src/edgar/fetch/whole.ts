/** Whether a file on the disk ends as a whole one of its kind does. */
import { open } from 'node:fs/promises';
import type { RemoteFile } from './types.ts';

/** The record at a zip's end, and the longest comment after it. */
const END_LENGTH = 22;
const LONGEST_END = END_LENGTH + 0xffff;
const END = Buffer.from('PK\x05\x06', 'latin1');

/** The predicate of a sentence that says what is missing, or null. */
export async function missingEnd(path: string, kind: RemoteFile['kind']): Promise<string | null> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, LONGEST_END);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    if (kind === 'zip') return endsAsZip(buffer) ? null : 'sent a zip without its end';
    if (kind === 'json')
      return /[}\]]\s*$/.test(buffer.toString('latin1', Math.max(0, length - 64))) ? null : 'sent JSON without its end';
    return null;
  } finally {
    await handle.close();
  }
}

function endsAsZip(tail: Buffer): boolean {
  for (let at = tail.lastIndexOf(END); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(END, at - 1)) {
    const fits = at + END_LENGTH <= tail.length;
    if (fits && at + END_LENGTH + tail.readUInt16LE(at + 20) === tail.length) return true;
  }
  return false;
}
