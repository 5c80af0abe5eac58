/** Reads the values of a page in Parquet's plain encoding. */
import { isAscii } from 'node:buffer';
import type { Cell, CellType } from '../../schema/table.ts';
import type { RowRange } from './runs.ts';

/** A range of consecutive values in a page (end exclusive). */
interface Stored {
  readonly first: number;
  readonly end: number;
  /** Decodes the value at a position in the range. */
  readonly cut: (place: number) => Cell;
}

/** Size of the length before each text in a page. */
const LENGTH_BYTES = 4;

/**
 * Values by index, each decoded when it is first read. A question about one metric needs a few values of most
 * columns, and a search needs only the keys it meets.
 */
export class Values {
  readonly #cells: (Cell | undefined)[];
  readonly #stored: Stored[] = [];

  constructor(cells: readonly Cell[] = []) {
    this.#cells = [...cells];
  }

  get length(): number {
    return this.#cells.length;
  }

  /** Adds a value and returns its index. */
  add(value: Cell): number {
    return this.#cells.push(value) - 1;
  }

  /**
   * Appends a range of values of a page.
   * @param cut decodes the value at a position in the range
   */
  addStored(count: number, cut: (place: number) => Cell): void {
    const first = this.#cells.length;
    this.#cells.length += count;
    this.#stored.push({ first, end: this.#cells.length, cut });
  }

  at(index: number): Cell | undefined {
    const cell = this.#cells[index];
    return cell === undefined ? this.#cut(index) : cell;
  }

  all(): readonly Cell[] {
    // Decodes the remaining values. A loop, because Array.from takes three times as long.
    const cells: Cell[] = new Array(this.#cells.length);
    for (let index = 0; index < cells.length; index += 1) cells[index] = this.at(index) ?? null;
    return cells;
  }

  #cut(index: number): Cell | undefined {
    for (const { first, end, cut } of this.#stored) {
      if (index < first || index >= end) continue;
      const cell = cut(index - first);
      this.#cells[index] = cell;
      return cell;
    }
    return undefined;
  }
}

/** Returns a function that decodes texts. */
function textsOf(bytes: Buffer): (from: number, end: number) => string {
  if (!isAscii(bytes)) return (from, end) => bytes.toString('utf8', from, end);
  // If all bytes are ASCII, positions in the text equal those in the bytes.
  const whole = bytes.toString('latin1');
  return (from, end) => whole.slice(from, end);
}

/** Appends some of the plain values of a page to `values`. */
export function readPlain(bytes: Buffer, type: CellType, { from, to }: RowRange, values: Values): void {
  if (type !== 'text') {
    if (to > (type === 'integer' ? bytes.length / 4 : bytes.length * 8)) throw new Error('a page ends too early');
    values.addStored(to - from, (place) => fixedAt(bytes, type, from + place));
  } else {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const ends = new Uint32Array(to - from);
    let [at, start] = [0, 0];
    for (let index = 0; index < to; index += 1) {
      if (index === from) start = at;
      at += LENGTH_BYTES + view.getUint32(at, true);
      if (at > bytes.length) throw new Error('a text ends too late');
      if (index >= from) ends[index - from] = at - start;
    }
    const cut = textsOf(bytes.subarray(start, at));
    values.addStored(ends.length, (place) => cut((ends[place - 1] ?? 0) + LENGTH_BYTES, ends[place] as number));
  }
}

/** Returns all `count` plain values of a page. */
export function plainValues(content: Buffer, type: CellType, count: number): Cell[] {
  const values = new Array<Cell>(count);
  if (type !== 'text') for (let place = 0; place < count; place += 1) values[place] = fixedAt(content, type, place);
  else {
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    // Inlined, because V8 would optimize a function per page and discard it with the next page.
    const whole = isAscii(content) ? content.toString('latin1') : null;
    let at = 0;
    for (let place = 0; place < count; place += 1) {
      const from = at + LENGTH_BYTES;
      at = from + view.getUint32(at, true);
      values[place] = whole === null ? content.toString('utf8', from, at) : whole.slice(from, at);
    }
    if (at > content.length) throw new Error('a text ends too late');
  }
  return values;
}

/** Returns the plain values at some positions, ascending. */
export function plainAt(content: Buffer, type: CellType, places: readonly number[]): Cell[] {
  if (type !== 'text') return places.map((place) => fixedAt(content, type, place));
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  let [at, index] = [0, 0];
  return places.map((place) => {
    at = behindTexts(view, at, place - index);
    index = place;
    const from = at + LENGTH_BYTES;
    const to = from + view.getUint32(at, true);
    if (to > content.length) throw new Error('a text ends too late');
    return content.toString('utf8', from, to);
  });
}

/** Returns the end of `count` texts, the first of which begins at `start`. */
function behindTexts(view: DataView, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0; left -= 1) at += LENGTH_BYTES + view.getUint32(at, true);
  return at;
}

/** Returns a value of a type with values of fixed length. */
function fixedAt(content: Buffer, type: Exclude<CellType, 'text'>, place: number): Cell {
  if (type === 'integer') return content.readInt32LE(place * 4);
  return (content.readUInt8(place >> 3) & (1 << (place & 7))) !== 0;
}
