/**
 * SHA-1 of a few bytes, for names and never for secrets. Loading node:crypto takes longer than all ids of an
 * answer take here.
 */
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0] as const;
const BLOCK = 64;

/** @returns 40 hexadecimal digits, in lower case */
export function sha1(bytes: Uint8Array): string {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Int32Array.from(START);
  const words = new Int32Array(80);
  for (let at = 0; at < padded.length; at += BLOCK) mix(state, words, view, at);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** One block of the message (RFC 3174, 6.1). */
function mix(state: Int32Array, words: Int32Array, view: DataView, from: number): void {
  for (let t = 0; t < 16; t += 1) words[t] = view.getInt32(from + 4 * t);
  for (let t = 16; t < 80; t += 1)
    words[t] = turn(word(words, t - 3) ^ word(words, t - 8) ^ word(words, t - 14) ^ word(words, t - 16), 1);
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let t = 0; t < 80; t += 1) {
    let chosen: number;
    if (t < 20) chosen = ((b & c) | (~b & d)) + 0x5a827999;
    else if (t < 40) chosen = (b ^ c ^ d) + 0x6ed9eba1;
    else if (t < 60) chosen = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    else chosen = (b ^ c ^ d) + 0xca62c1d6;
    const next = (turn(a, 5) + chosen + e + word(words, t)) | 0;
    e = d;
    d = c;
    c = turn(b, 30);
    b = a;
    a = next;
  }
  for (const [index, sum] of [a, b, c, d, e].entries()) state[index] = word(state, index) + sum;
}

const word = (words: Int32Array, index: number): number => words[index] ?? 0;

const turn = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by));
