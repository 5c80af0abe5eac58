/**
 * Reads small integers as Parquet stores dictionary indices and definition levels: RLE runs mixed with bit-packed
 * groups.
 */

/** A range of consecutive rows or values; `to` is exclusive. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Walks from run to run; the content of a run is read on demand. Throws if the bytes end too early. */
class Runs {
  readonly #bytes: Uint8Array;
  readonly #width: number;
  readonly #count: number;
  /** Position of this run's numbers in the bytes, and of the next run. */
  #at: number;
  #next: number;
  /** Position of this run's first and last number among all numbers. */
  from = 0;
  to = 0;
  isPacked = false;

  /** @param start position of the first run */
  constructor(bytes: Uint8Array, start: number, width: number, count: number) {
    if (width > 24) throw new Error(`numbers of ${width} bits are more than a table of ours holds`);
    this.#bytes = bytes;
    this.#width = width;
    this.#count = count;
    this.#at = start;
    this.#next = start;
  }

  advance(): void {
    let head = 0;
    let at = this.#next;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = this.#bytes[at++];
      if (byte === undefined || shift > 28) throw new Error('a run has no end');
      head |= (byte & 127) << shift;
      more = byte > 127;
    }
    this.isPacked = (head & 1) === 1;
    const length = (head >>> 1) * (this.isPacked ? 8 : 1);
    if (length === 0) throw new Error('a run is empty');
    this.from = this.to;
    this.to += length;
    // The last bit-packed group may contain fewer numbers than it declares.
    const stored = this.isPacked ? Math.min(length, this.#count - this.from) : 1;
    this.#at = at;
    this.#next = at + ((stored * this.#width + 7) >>> 3);
    if (this.#next > this.#bytes.length) throw new Error('a page ends too early');
  }

  /** Returns one number of this run. */
  number(place: number): number {
    const bit = this.isPacked ? (place - this.from) * this.#width : 0;
    return (wordAt(this.#bytes, this.#at + (bit >>> 3)) >>> (bit & 7)) & ((1 << this.#width) - 1);
  }

  /** Copies this run's numbers in the range into `numbers`, whose index 0 is the number `first`. */
  copy(numbers: Uint32Array, { from, to }: RowRange, first: number): void {
    if (!this.isPacked) numbers.fill(this.number(from), from - first, to - first);
    else {
      const [bytes, width, mask] = [this.#bytes, this.#width, (1 << this.#width) - 1];
      let bit = this.#at * 8 + (from - this.from) * width;
      for (let place = from - first; place < to - first; place += 1) {
        numbers[place] = (wordAt(bytes, bit >>> 3) >>> (bit & 7)) & mask;
        bit += width;
      }
    }
  }

  /** Counts the ones among this run's numbers in the range; the numbers have one bit. */
  ones(from: number, to: number): number {
    if (!this.isPacked) return ((this.#bytes[this.#at] as number) & 1) * (to - from);
    const end = to - this.from;
    let ones = 0;
    for (let bit = from - this.from; bit < end; bit = (bit | 7) + 25) {
      const bits = Math.min(32 - (bit & 7), end - bit);
      // Ignores the bits of the last word after the end.
      ones += bitsSet((wordAt(this.#bytes, this.#at + (bit >>> 3)) >>> (bit & 7)) << (32 - bits));
    }
    return ones;
  }
}

/**
 * Reads a range of `count` integers of `width` bits. Throws if the bytes end too early.
 * @param start position of the first run
 */
export function readRuns(
  bytes: Uint8Array,
  start: number,
  width: number,
  count: number,
  { from, to }: RowRange = { from: 0, to: count },
): Uint32Array {
  const numbers = new Uint32Array(to - from);
  if (width === 0) return numbers;
  const runs = new Runs(bytes, start, width, count);
  while (runs.to < to) {
    runs.advance();
    const own = { from: Math.max(runs.from, from), to: Math.min(runs.to, to) };
    if (own.from < own.to) runs.copy(numbers, own, from);
  }
  return numbers;
}

/** Returns the numbers at some positions, ascending; other numbers are skipped. */
export function readRunsAt(
  bytes: Uint8Array,
  start: number,
  width: number,
  count: number,
  places: readonly number[],
): number[] {
  if (width === 0) return places.map(() => 0);
  const runs = new Runs(bytes, start, width, count);
  return places.map((place) => {
    while (runs.to <= place) runs.advance();
    return runs.number(place);
  });
}

/**
 * Returns, for some rows in ascending order, the positions of their values among the stored values, by definition
 * levels of one bit; null for a row without a value.
 */
export function placesAmongValues(levels: Uint8Array, count: number, rows: readonly number[]): (number | null)[] {
  const runs = new Runs(levels, 0, 1, count);
  let [counted, place] = [0, 0];
  return rows.map((row) => {
    for (; runs.to <= row; runs.advance()) {
      place += runs.ones(counted, runs.to);
      counted = runs.to;
    }
    place += runs.ones(counted, row);
    counted = row;
    return runs.number(row) === 1 ? place : null;
  });
}

/**
 * Returns each row's value; null if its definition level is 0. Throws if the number of values differs from the
 * levels.
 */
export function spreadValues<T>(values: readonly T[], levels: Uint8Array, rows: number): (T | null)[] {
  const runs = new Runs(levels, 0, 1, rows);
  const cells: (T | null)[] = Array(rows).fill(null);
  let next = 0;
  while (runs.to < rows) {
    runs.advance();
    const to = Math.min(runs.to, rows);
    const level = runs.isPacked ? null : runs.number(runs.from);
    for (let row = level === 0 ? to : runs.from; row < to; row += 1) {
      if (level === 1 || runs.number(row) === 1) cells[row] = values[next++] as T;
    }
  }
  if (next !== values.length) throw new Error('a page has not as many values as its definition levels say');
  return cells;
}

/** Reads four bytes, lowest first. Missing bytes at the end are undefined, which operators treat as 0. */
function wordAt(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | high;
}

/** Counts the ones in a 32-bit word: sums of two, of four, of eight bits, then of all. */
function bitsSet(word: number): number {
  const twos = word - ((word >>> 1) & 0x55555555);
  const fours = (twos & 0x33333333) + ((twos >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
