/** Decodes Parquet's RLE and bit-packing hybrid, which stores dictionary indices and definition levels. */

/** A range of consecutive rows or values (`to` is exclusive). */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Iterates over runs; the numbers of a run are decoded on demand. Throws if the bytes end too early. */
class RunReader {
  #nextRunOffset: number;
  /** Positions of the current run's numbers (`to` is exclusive). */
  from = 0;
  to = 0;
  isPacked = false;

  constructor(
    private readonly bytes: Uint8Array,
    /** Byte offset of the first run; after `advance()`, of the current run's numbers. */
    private runOffset: number,
    private readonly bitWidth: number,
    private readonly count: number,
  ) {
    if (bitWidth > 24) throw new Error(`RLE runs of ${bitWidth}-bit numbers are not supported`);
    this.#nextRunOffset = runOffset;
  }

  advance(): void {
    let header = 0;
    let offset = this.#nextRunOffset;
    for (let shift = 0, hasMore = true; hasMore; shift += 7) {
      const byte = this.bytes[offset++];
      if (byte === undefined || shift > 28) throw new Error('the header of an RLE run is cut off or too long');
      header |= (byte & 127) << shift;
      hasMore = byte > 127;
    }
    this.isPacked = (header & 1) === 1;
    const runLength = (header >>> 1) * (this.isPacked ? 8 : 1);
    if (runLength === 0) throw new Error('an RLE run is empty');
    this.from = this.to;
    this.to += runLength;
    // The last bit-packed run may be padded beyond `count`.
    const count = this.isPacked ? Math.min(runLength, this.count - this.from) : 1;
    this.runOffset = offset;
    this.#nextRunOffset = offset + ((count * this.bitWidth + 7) >>> 3);
    if (this.#nextRunOffset > this.bytes.length) throw new Error('a page ends too early');
  }

  /** Returns the number at a position of the current run. */
  numberAt(position: number): number {
    const bit = this.isPacked ? (position - this.from) * this.bitWidth : 0;
    return (readWord(this.bytes, this.runOffset + (bit >>> 3)) >>> (bit & 7)) & ((1 << this.bitWidth) - 1);
  }

  /** Copies a range of the current run to `numbers`. The number at the position `first` belongs at index 0. */
  copyTo(numbers: Uint32Array, { from, to }: RowRange, first: number): void {
    if (!this.isPacked) numbers.fill(this.numberAt(from), from - first, to - first);
    else {
      const [bytes, width, mask] = [this.bytes, this.bitWidth, (1 << this.bitWidth) - 1];
      let bit = this.runOffset * 8 + (from - this.from) * width;
      for (let position = from - first; position < to - first; position += 1) {
        numbers[position] = (readWord(bytes, bit >>> 3) >>> (bit & 7)) & mask;
        bit += width;
      }
    }
  }

  /** Counts the 1 bits in a range of the current run. Only for runs of one-bit numbers. */
  countOnes(from: number, to: number): number {
    if (!this.isPacked) return ((this.bytes[this.runOffset] as number) & 1) * (to - from);
    const end = to - this.from;
    let oneCount = 0;
    for (let bit = from - this.from; bit < end; bit = (bit | 7) + 25) {
      const bitCount = Math.min(32 - (bit & 7), end - bit);
      // Clears the bits after the end of the range.
      oneCount += countSetBits((readWord(this.bytes, this.runOffset + (bit >>> 3)) >>> (bit & 7)) << (32 - bitCount));
    }
    return oneCount;
  }
}

/**
 * Returns the numbers in the range. The bytes contain `count` numbers of `width` bits each. Throws if the bytes end too
 * early.
 * @param start byte offset of the first run
 */
export function readNumbers(
  bytes: Uint8Array,
  start: number,
  width: number,
  count: number,
  { from, to }: RowRange = { from: 0, to: count },
): Uint32Array {
  const numbers = new Uint32Array(to - from);
  if (width === 0) return numbers;
  const runReader = new RunReader(bytes, start, width, count);
  while (runReader.to < to) {
    runReader.advance();
    const runRange = { from: Math.max(runReader.from, from), to: Math.min(runReader.to, to) };
    if (runRange.from < runRange.to) runReader.copyTo(numbers, runRange, from);
  }
  return numbers;
}

/** Returns the numbers at the given positions, without decoding other numbers. Positions must be ascending. */
export function readNumbersAt(
  bytes: Uint8Array,
  start: number,
  width: number,
  count: number,
  positions: readonly number[],
): number[] {
  if (width === 0) return positions.map(() => 0);
  const rleReader = new RunReader(bytes, start, width, count);
  return positions.map((position) => {
    while (rleReader.to <= position) rleReader.advance();
    return rleReader.numberAt(position);
  });
}

/**
 * Returns the position of each row's value among the stored values; null for a row without a value.
 * @param rows must be ascending
 */
export function findValuePositions(levels: Uint8Array, count: number, rows: readonly number[]): (number | null)[] {
  const reader = new RunReader(levels, 0, 1, count);
  let [rowsEnd, position] = [0, 0];
  return rows.map((row) => {
    for (; reader.to <= row; reader.advance()) {
      position += reader.countOnes(rowsEnd, reader.to);
      rowsEnd = reader.to;
    }
    position += reader.countOnes(rowsEnd, row);
    rowsEnd = row;
    return reader.numberAt(row) === 1 ? position : null;
  });
}

/**
 * Returns the cell of each row: the next value, or null if the definition level is 0. Throws if the number of values
 * does not match the levels.
 */
export function spreadValues<T>(values: readonly T[], levels: Uint8Array, rowCount: number): (T | null)[] {
  const reader = new RunReader(levels, 0, 1, rowCount);
  const cells: (T | null)[] = Array(rowCount).fill(null);
  let index = 0;
  while (reader.to < rowCount) {
    reader.advance();
    const runEnd = Math.min(reader.to, rowCount);
    const level = reader.isPacked ? null : reader.numberAt(reader.from);
    for (let row = level === 0 ? runEnd : reader.from; row < runEnd; row += 1) {
      if (level === 1 || reader.numberAt(row) === 1) cells[row] = values[index++] as T;
    }
  }
  if (index !== values.length) throw new Error('the number of values in a page does not match its definition levels');
  return cells;
}

/** Reads a little-endian 32-bit word. Bytes beyond the end are undefined, which bitwise operators treat as 0. */
function readWord(bytes: Uint8Array, offset: number): number {
  const highHalf = ((bytes[offset + 2] as number) << 16) | ((bytes[offset + 3] as number) << 24);
  return (bytes[offset] as number) | ((bytes[offset + 1] as number) << 8) | highHalf;
}

/** Counts the ones of a 32-bit word, by adding neighbouring groups of 1, 2, 4 and then 8 bits. */
function countSetBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
