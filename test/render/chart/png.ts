/** Reads pixels of a PNG as browsers write it: eight bits, three or four channels, not interlaced. */
import { inflateSync } from 'node:zlib';

const HEAD = 8;

/** Returns red, green and blue of a pixel, counted from the upper left corner. */
export function pixelAt(png: Buffer, x: number, y: number): readonly number[] {
  let data = Buffer.alloc(0);
  for (let offset = HEAD; offset < png.length; ) {
    const length = png.readUInt32BE(offset);
    if (png.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      data = Buffer.concat([data, png.subarray(offset + 8, offset + 8 + length)]);
    offset += length + 12;
  }
  const width = png.readUInt32BE(HEAD + 8);
  const channels = png[HEAD + 17] === 6 ? 4 : 3;
  const stride = width * channels;
  const raw = inflateSync(data);
  let above = new Uint8Array(stride);
  for (let row = 0; ; row++) {
    const filter = raw[row * (stride + 1)] ?? 0;
    const line = new Uint8Array(stride);
    for (let index = 0; index < stride; index++) {
      const [left, up, corner] = [line[index - channels] ?? 0, above[index] ?? 0, above[index - channels] ?? 0];
      line[index] = (raw[row * (stride + 1) + 1 + index] ?? 0) + predicted(filter, left, up, corner);
    }
    if (row === y) return [...line.subarray(x * channels, x * channels + 3)];
    above = line;
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value)) as [number, number, number];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
