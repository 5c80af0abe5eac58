/** Finds the end of a zip: the end of its end-of-central-directory record. Zeros may follow the record. */

/** Length in bytes of the record without its comment of up to 0xffff bytes. */
const END_RECORD_LENGTH = 22;
const END_RECORD_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');

/**
 * Number of bytes to read at the end of a zip to find the record: enough for a comment and zeros of up to 64 KB
 * together.
 */
export const MAX_ZIP_END_BYTES = END_RECORD_LENGTH + 0xffff;

/**
 * Returns the number of bytes from the start of `tail` to the end of the record. Null if the tail has no record, or if
 * bytes other than zeros follow it. Some copies of filings' zips are padded with zeros.
 */
export function findZipEndOffset(tail: Buffer): number | null {
  for (
    let start = tail.lastIndexOf(END_RECORD_SIGNATURE);
    start >= 0;
    start = start === 0 ? -1 : tail.lastIndexOf(END_RECORD_SIGNATURE, start - 1)
  ) {
    if (start + END_RECORD_LENGTH > tail.length) continue;
    const end = start + END_RECORD_LENGTH + tail.readUInt16LE(start + 20);
    if (end <= tail.length && tail.subarray(end).every((byte) => byte === 0)) return end;
  }
  return null;
}
