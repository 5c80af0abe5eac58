/** Decodes pages with Parquet's PLAIN encoding. */
import { isAscii } from 'node:buffer';
import type { Cell, CellType } from '../../schema/columns.ts';
import type { RowRange } from './runs.ts';

/** Size in bytes of the length before each text. */
const LENGTH_FIELD_BYTES = 4;

/** Returns a function from two byte offsets to the text between them. */
function createTextSlicer(bytes: Buffer): (start: number, end: number) => string {
  if (!isAscii(bytes)) return (start, end) => bytes.toString('utf8', start, end);
  // In ASCII, offsets of characters equal offsets of bytes.
  const asciiText = bytes.toString('latin1');
  return (start, end) => asciiText.slice(start, end);
}

export function decodePlainIntegers(content: Buffer, count: number): Int32Array {
  if (count * Int32Array.BYTES_PER_ELEMENT > content.length) throw new Error('a page is too short for its values');
  // A copy, because the integers of a page need not begin at a multiple of four bytes.
  return new Int32Array(new Uint8Array(content.subarray(0, count * Int32Array.BYTES_PER_ELEMENT)).buffer);
}

/** Returns a range of the plain values of a page. */
export function decodePlainValues(content: Buffer, type: CellType, { from, to }: RowRange): Cell[] {
  const values = new Array<Cell>(to - from);
  // Faster than readInt32LE: V8 inlines reads of a DataView, but would call readInt32LE for each value.
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (type === 'integer')
    for (let index = 0; index < values.length; index += 1) values[index] = view.getInt32((from + index) * 4, true);
  else if (type === 'boolean')
    for (let index = 0; index < values.length; index += 1) values[index] = readBit(content, from + index);
  else {
    // Not `createTextSlicer`, because V8 would optimize its closure for each page and discard it with the page.
    const ascii = isAscii(content) ? content.toString('latin1') : null;
    let offset = findOffsetAfterTexts(view, 0, from);
    for (let index = 0; index < values.length; index += 1) {
      const textStart = offset + LENGTH_FIELD_BYTES;
      offset = textStart + view.getUint32(offset, true);
      values[index] = ascii === null ? content.toString('utf8', textStart, offset) : ascii.slice(textStart, offset);
    }
    if (offset > content.length) throw new Error('a text is longer than its page');
  }
  return values;
}

/** If more texts are read, converting the whole page at once is faster than converting each text. */
const MAX_SEPARATELY_READ_TEXTS = 200;

/** Returns the plain values at the given positions. Positions must be ascending. */
export function decodePlainValuesAt(content: Buffer, type: CellType, positions: readonly number[]): Cell[] {
  if (type === 'integer') return positions.map((position) => content.readInt32LE(position * 4));
  if (type === 'boolean') return positions.map((position) => readBit(content, position));
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const slice = positions.length > MAX_SEPARATELY_READ_TEXTS ? createTextSlicer(content) : null;
  let [offset, next] = [0, 0];
  return positions.map((position) => {
    offset = findOffsetAfterTexts(view, offset, position - next);
    next = position;
    const startOf = offset + LENGTH_FIELD_BYTES;
    const textEnd = startOf + view.getUint32(offset, true);
    if (textEnd > content.length) throw new Error('a text is longer than its page');
    return slice === null ? content.toString('utf8', startOf, textEnd) : slice(startOf, textEnd);
  });
}

/** Returns the byte offset after `count` texts that begin at `start`. */
function findOffsetAfterTexts(view: DataView, start: number, count: number): number {
  let offset = start;
  for (let textsLeft = count; textsLeft > 0; textsLeft -= 1)
    offset += LENGTH_FIELD_BYTES + view.getUint32(offset, true);
  return offset;
}

const readBit = (content: Buffer, position: number): boolean =>
  ((content[position >> 3] as number) & (1 << (position & 7))) !== 0;
