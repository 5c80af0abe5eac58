/** The values of a column, as they stand one after the other in a page: Parquet's plain encoding. */
import { isAscii } from 'node:buffer';
import type { Cell, CellType } from '../schema/table.ts';
import type { RowRange } from './runs.ts';

/** Values side by side in a page, from the index of the first to before the end. */
interface Stored {
  readonly first: number;
  readonly end: number;
  /** Cuts out the one at this place among them. */
  readonly cut: (place: number) => Cell;
}

/** What stands before each text in a page: its length. */
const LENGTH_BYTES = 4;

/**
 * Values by their index. One is cut out of its page when it is first asked for: of most columns a question about one metric
 * needs a few, and of keys those that a search meets.
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

  /** The index of the value. */
  add(value: Cell): number {
    return this.#cells.push(value) - 1;
  }

  /** Puts some that stand in a page behind the others. @param cut makes the one at a place among them */
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
    // Only those that are not cut yet are missing; a loop, because Array.from takes three times as long.
    const all: Cell[] = new Array(this.#cells.length);
    for (let index = 0; index < all.length; index += 1) all[index] = this.at(index) ?? null;
    return all;
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

/** Cuts texts out of bytes. */
function textsOf(bytes: Buffer): (from: number, end: number) => string {
  if (!isAscii(bytes)) return (from, end) => bytes.toString('utf8', from, end);
  // Where bytes are letters the places in the text are the same.
  const whole = bytes.toString('latin1');
  return (from, end) => whole.slice(from, end);
}

/** Puts some of the values that stand one after the other behind those in `values`. */
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

/** All of `count` values that stand one after the other. */
export function plainValues(content: Buffer, type: CellType, count: number): Cell[] {
  const values = new Array<Cell>(count);
  if (type !== 'text') for (let place = 0; place < count; place += 1) values[place] = fixedAt(content, type, place);
  else {
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    // Cut here and not by a function of each page, which V8 would optimize for one page and discard with the next.
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

/** The values at some places, ascending, of those that stand one after the other. */
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

/** Where `count` texts end, of which the first begins at `start`. */
function behindTexts(view: DataView, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0; left -= 1) at += LENGTH_BYTES + view.getUint32(at, true);
  return at;
}

/** A value of a type whose values are all of one length. */
function fixedAt(content: Buffer, type: Exclude<CellType, 'text'>, place: number): Cell {
  if (type === 'integer') return content.readInt32LE(place * 4);
  return (content.readUInt8(place >> 3) & (1 << (place & 7))) !== 0;
}
