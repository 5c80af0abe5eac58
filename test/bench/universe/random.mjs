import { crc32 } from 'node:zlib';

/** Returns a generator of numbers from 0 to below 1 (mulberry32); the same purpose gives the same numbers. */
export function createRandomGenerator(purpose) {
  let state = crc32(purpose);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(state ^ (state >>> 15), state | 1);
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61);
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 4294967296;
  };
}
