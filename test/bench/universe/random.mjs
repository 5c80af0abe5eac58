import { crc32 } from 'node:zlib';

/** Numbers from 0 to 1 that look like chance and are always the same (mulberry32), by what they are for. */
export function randomFor(purpose) {
  let state = crc32(purpose);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
