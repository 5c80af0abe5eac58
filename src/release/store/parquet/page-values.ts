/**
 * The values of one page, decoded in as few passes as there can be: the three encodings that flat tables of text,
 * integers and flags are written in.
 */
import { isAscii } from 'node:buffer';
import type { Cell, CellType } from '../../schema/table.ts';

/** RLE runs and bit-packed groups of whole numbers of `width` bits, as Parquet mixes them. Throws when the bytes end too early. */
export function readRuns(bytes: Uint8Array, from: number, width: number, count: number): Uint32Array {
  const values = new Uint32Array(count);
  if (width === 0) return values;
  if (width > 24) throw new Error(`numbers of ${width} bits are more than a table of ours holds`);
  const mask = (1 << width) - 1;
  let at = from;
  let done = 0;
  while (done < count) {
    let head = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 28) throw new Error('a run has no end');
      head |= (byte & 127) << shift;
      more = byte > 127;
    }
    if ((head & 1) === 0) {
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) {
        const byte = bytes[at++];
        if (byte === undefined) throw new Error('a page ends too early');
        value |= byte << shift;
      }
      values.fill(value & mask, done, done + (head >>> 1));
      done += head >>> 1;
      if (head === 0) throw new Error('a run is empty');
    } else {
      const last = Math.min(count, done + (head >>> 1) * 8);
      let pending = 0;
      let bits = 0;
      while (done < last) {
        while (bits < width) {
          const byte = bytes[at++];
          if (byte === undefined) throw new Error('a page ends too early');
          pending |= byte << bits;
          bits += 8;
        }
        values[done++] = pending & mask;
        pending >>>= width;
        bits -= width;
      }
    }
  }
  return values;
}

/** Values one after the other, put behind those in `values`. */
export function readPlain(bytes: Buffer, type: CellType, count: number, values: Cell[]): void {
  if (type === 'boolean') {
    for (let at = 0; at < count; at += 1) values.push((bytes.readUInt8(at >> 3) & (1 << (at & 7))) !== 0);
  } else if (type === 'integer') {
    for (let at = 0; at < count; at += 1) values.push(bytes.readInt32LE(at * 4));
  } else {
    // One text cut into pieces costs half of what many small ones do; where bytes are letters the places are the same.
    const whole = isAscii(bytes) ? bytes.toString('latin1') : null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    for (let index = 0; index < count; index += 1) {
      const from = at + 4;
      at = from + view.getUint32(at, true);
      if (at > bytes.length) throw new Error('a text ends too late');
      values.push(whole === null ? bytes.toString('utf8', from, at) : whole.slice(from, at));
    }
  }
}
