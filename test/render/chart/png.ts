/** Reads pixels of a PNG as browsers write it: eight bits, three or four channels, not interlaced. */
import { inflateSync } from 'node:zlib';

const SIGNATURE_LENGTH = 8;

/** Returns red, green and blue of a pixel, counted from the upper left corner. */
export function readPixel(png: Buffer, x: number, y: number): readonly number[] {
  let compressedData = Buffer.alloc(0);
  for (let offset = SIGNATURE_LENGTH; offset < png.length; ) {
    const chunkLength = png.readUInt32BE(offset);
    if (png.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      compressedData = Buffer.concat([compressedData, png.subarray(offset + 8, offset + 8 + chunkLength)]);
    offset += chunkLength + 12;
  }
  const width = png.readUInt32BE(SIGNATURE_LENGTH + 8);
  const channelCount = png[SIGNATURE_LENGTH + 17] === 6 ? 4 : 3;
  const rowByteCount = width * channelCount;
  const filteredRows = inflateSync(compressedData);
  let previousLine = new Uint8Array(rowByteCount);
  for (let row = 0; ; row++) {
    const filterType = filteredRows[row * (rowByteCount + 1)] ?? 0;
    const line = new Uint8Array(rowByteCount);
    for (let index = 0; index < rowByteCount; index++) {
      const [left, up, upperLeft] = [
        line[index - channelCount] ?? 0,
        previousLine[index] ?? 0,
        previousLine[index - channelCount] ?? 0,
      ];
      line[index] =
        (filteredRows[row * (rowByteCount + 1) + 1 + index] ?? 0) + predictByte(filterType, left, up, upperLeft);
    }
    if (row === y) return [...line.subarray(x * channelCount, x * channelCount + 3)];
    previousLine = line;
  }
}

function predictByte(filter: number, left: number, up: number, upperLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  if (filter !== 4) return 0;
  const guess = left + up - upperLeft;
  const [a, b, c] = [left, up, upperLeft].map((value) => Math.abs(guess - value)) as [number, number, number];
  return a <= b && a <= c ? left : b <= c ? up : upperLeft;
}
