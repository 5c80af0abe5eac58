/**
 * SHA-256 and CRC-32 of small things. Loading `node:crypto` costs a held answer more than the rest of
 * it; what is hashed here is a line of text, or a body read once.
 */

let round: Uint32Array | undefined;
let start: Uint32Array | undefined;

/** SHA-256 of a text's UTF-8 bytes, in lower-case hexadecimal. */
export function sha256(text: string): string {
  const bytes = Buffer.from(text);
  const blocks = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(blocks.length - 4, bytes.length << 3);
  start ??= constants(8, Math.sqrt);
  const state = Uint32Array.from(start);
  for (let offset = 0; offset < blocks.length; offset += 64) compress(state, view, offset);
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

// Run once or twice in a process, so before it is compiled: plain steps, which an interpreter takes fastest.
function compress(state: Uint32Array, view: DataView, offset: number): void {
  round ??= constants(64, Math.cbrt);
  const w = new Int32Array(64);
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const sum = (w[i - 16] as number) + (w[i - 7] as number);
    w[i] = sum + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const one =
      h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (round[i] as number) + (w[i] as number);
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + word;
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The first 32 bits of the fractions of the first primes' roots: where the standard's constants come from. */
function constants(count: number, root: (n: number) => number): Uint32Array {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    // A double holds 50 bits of such a fraction; 32 are asked for.
    if (prime) found.push(Math.floor((root(n) % 1) * 2 ** 32));
  }
  return Uint32Array.from(found);
}

let table: Uint32Array | undefined;

/** CRC-32 of bytes: tells a torn or damaged file, not a forged one. */
export function crc32(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb8_8320 : c >>> 1;
    return c;
  });
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) crc = (table[(crc ^ (bytes[i] as number)) & 255] as number) ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}
