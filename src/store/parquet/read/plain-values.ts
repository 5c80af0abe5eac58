/** Decodes pages with Parquet's PLAIN encoding. */
import { isAscii } from 'node:buffer';
import type { Cell, CellType } from '../../schema/columns.ts';
import type { RowRange } from './runs.ts';

/** A range of indices in LazyValues whose values are stored in one page (`endIndex` is exclusive). */
interface UndecodedRange {
  readonly firstIndex: number;
  readonly endIndex: number;
  /** Decodes the value at a position within the range. */
  readonly decodeAt: (position: number) => Cell;
}

/** Size in bytes of the length before each text. */
const LENGTH_FIELD_BYTES = 4;

/**
 * Values by index, decoded when first read. A request for one metric needs few values of most columns, and a search
 * needs only the keys that it compares.
 */
export class LazyValues {
  readonly #cells: (Cell | undefined)[];
  readonly #storedRanges: UndecodedRange[] = [];

  constructor(cells: readonly Cell[] = []) {
    this.#cells = [...cells];
  }

  get length(): number {
    return this.#cells.length;
  }

  /** Adds a decoded value and returns its index. */
  add(value: Cell): number {
    return this.#cells.push(value) - 1;
  }

  /**
   * Adds `count` values of a page without decoding them.
   * @param decodeAt decodes the value at a position from 0 to `count` - 1
   */
  addStored(count: number, decodeAt: (position: number) => Cell): void {
    const first = this.#cells.length;
    this.#cells.length += count;
    this.#storedRanges.push({ firstIndex: first, endIndex: this.#cells.length, decodeAt });
  }

  valueAt(index: number): Cell | undefined {
    const cell = this.#cells[index];
    return cell === undefined ? this.#decode(index) : cell;
  }

  allValues(): readonly Cell[] {
    // A loop, because Array.from would take three times as long.
    const cells: Cell[] = new Array(this.#cells.length);
    for (let index = 0; index < cells.length; index += 1) cells[index] = this.valueAt(index) ?? null;
    return cells;
  }

  #decode(index: number): Cell | undefined {
    for (const { firstIndex, endIndex, decodeAt } of this.#storedRanges) {
      if (index < firstIndex || index >= endIndex) continue;
      const cell = decodeAt(index - firstIndex);
      this.#cells[index] = cell;
      return cell;
    }
    return undefined;
  }
}

/** Returns a function from two byte offsets to the text between them. */
function createTextSlicer(bytes: Buffer): (start: number, end: number) => string {
  if (!isAscii(bytes)) return (start, end) => bytes.toString('utf8', start, end);
  // In ASCII, offsets of characters equal offsets of bytes.
  const asciiText = bytes.toString('latin1');
  return (start, end) => asciiText.slice(start, end);
}

/** Adds a range of a page's plain values to `values`. */
export function addPlainValues(bytes: Buffer, type: CellType, { from, to }: RowRange, values: LazyValues): void {
  if (type !== 'text') {
    if (to > (type === 'integer' ? bytes.length / 4 : bytes.length * 8))
      throw new Error('a page is too short for its values');
    values.addStored(to - from, (position) => decodeFixedSizeValueAt(bytes, type, from + position));
  } else {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const textEnds = new Uint32Array(to - from);
    let [offset, start] = [0, 0];
    for (let index = 0; index < to; index += 1) {
      if (index === from) start = offset;
      offset += LENGTH_FIELD_BYTES + view.getUint32(offset, true);
      if (offset > bytes.length) throw new Error('a text is longer than its page');
      if (index >= from) textEnds[index - from] = offset - start;
    }
    const sliceText = createTextSlicer(bytes.subarray(start, offset));
    values.addStored(textEnds.length, (position) =>
      sliceText((textEnds[position - 1] ?? 0) + LENGTH_FIELD_BYTES, textEnds[position] as number),
    );
  }
}

export function decodePlainIntegers(content: Buffer, count: number): Int32Array {
  if (count * Int32Array.BYTES_PER_ELEMENT > content.length) throw new Error('a page is too short for its values');
  // A copy, because the integers of a page need not begin at a multiple of four bytes.
  return new Int32Array(new Uint8Array(content.subarray(0, count * Int32Array.BYTES_PER_ELEMENT)).buffer);
}

export function decodePlainValues(content: Buffer, type: CellType, count: number): Cell[] {
  const values = new Array<Cell>(count);
  if (type === 'integer') {
    // Faster than readInt32LE: V8 inlines reads of a DataView, but would call readInt32LE for each value.
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    for (let position = 0; position < count; position += 1) values[position] = view.getInt32(position * 4, true);
  } else if (type === 'boolean') {
    if (count > content.length * 8) throw new Error('a page is too short for its values');
    for (let position = 0; position < count; position += 1)
      values[position] = ((content[position >> 3] as number) & (1 << (position & 7))) !== 0;
  } else {
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    // Not `createTextSlicer`, because V8 would optimize its closure for each page and discard it with the page.
    const ascii = isAscii(content) ? content.toString('latin1') : null;
    let offset = 0;
    for (let position = 0; position < count; position += 1) {
      const textStart = offset + LENGTH_FIELD_BYTES;
      offset = textStart + view.getUint32(offset, true);
      values[position] = ascii === null ? content.toString('utf8', textStart, offset) : ascii.slice(textStart, offset);
    }
    if (offset > content.length) throw new Error('a text is longer than its page');
  }
  return values;
}

/** If more texts are read, converting the whole page at once is faster than converting each text. */
const MAX_SEPARATELY_READ_TEXTS = 200;

/** Returns the plain values at the given positions. Positions must be ascending. */
export function decodePlainValuesAt(content: Buffer, type: CellType, positions: readonly number[]): Cell[] {
  if (type !== 'text') return positions.map((position) => decodeFixedSizeValueAt(content, type, position));
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

function decodeFixedSizeValueAt(content: Buffer, type: Exclude<CellType, 'text'>, position: number): Cell {
  if (type === 'integer') return content.readInt32LE(position * 4);
  return (content.readUInt8(position >> 3) & (1 << (position & 7))) !== 0;
}
