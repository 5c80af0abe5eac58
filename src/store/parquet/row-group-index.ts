/**
 * The index of a table: positions of row groups and column chunks as 32-bit words, in a separate file.
 * A lookup searches the index without parsing; parsing a Parquet footer with thousands of row groups would take longer
 * than most commands. The index also has a CRC-32 per column chunk, to detect damage.
 */

import { findFirstIndex } from '../../platform/collections.ts';
import { findRowGroupFault, type RowGroupSize } from './format/bounds.ts';
import type { EncodedChunk, EncodedRowGroup } from './write/row-group.ts';

const INDEX_SIGNATURE = 0x58444946; // "FIDX"
const HEADER_WORDS = 4;
const FIXED_WORDS = 5;
const WORD_BYTES = 4;
const HIGH_WORD_FACTOR = 2 ** 32;

export interface RowGroupLocation extends RowGroupSize {
  /** Index of the row group within the table. */
  readonly group: number;
  readonly firstKey: number;
  readonly lastKey: number;
  /** One entry per column, in stored order. */
  readonly chunks: readonly { readonly offset: number; readonly length: number; readonly crc32: number }[];
}

type IndexedRowGroup = Pick<EncodedRowGroup, 'firstKey' | 'lastKey' | 'rows'> & {
  readonly chunks: readonly Pick<EncodedChunk, 'length' | 'crc32'>[];
};

/**
 * Returns the index entry of one row group.
 * @param offset byte offset of the row group in the Parquet file
 */
export function encodeIndexEntry({ firstKey, lastKey, rows, chunks }: IndexedRowGroup, offset: number): Uint32Array {
  const words = new Uint32Array(FIXED_WORDS + 2 * chunks.length);
  words.set([firstKey, lastKey, rows, offset % HIGH_WORD_FACTOR, Math.floor(offset / HIGH_WORD_FACTOR)]);
  for (const [column, { length, crc32 }] of chunks.entries()) words.set([length, crc32], FIXED_WORDS + 2 * column);
  return words;
}

/**
 * Returns the bytes of an index file.
 * @param entries the entries of all row groups, in order
 */
export function encodeIndex(major: number, columns: number, entries: readonly Uint32Array[]): Buffer {
  const words = [Uint32Array.of(INDEX_SIGNATURE, major, columns, entries.length), ...entries];
  const bytes = Buffer.alloc(words.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const part of words) for (const word of part) offset = bytes.writeUInt32LE(word, offset);
  return bytes;
}

export class RowGroupIndex {
  readonly length: number;
  readonly #words: Uint32Array;

  /**
   * Throws an Error if the bytes are not an index for `columns` columns, or row groups are not in order.
   * @param fileBytes size of the Parquet file
   */
  constructor(
    bytes: Buffer,
    private readonly columns: number,
    private readonly fileBytes: number,
  ) {
    const wordCount = Math.floor(bytes.length / WORD_BYTES);
    // Copies the bytes, because words must be aligned. Reading each word from the bytes would take longer.
    this.#words = new Uint32Array(new Uint8Array(bytes.subarray(0, wordCount * WORD_BYTES)).buffer);
    this.length = this.#words[3] ?? 0;
    const isIndex = this.#words[0] === INDEX_SIGNATURE && this.#words[2] === columns;
    if (!isIndex || bytes.length !== this.#firstWordOf(this.length) * WORD_BYTES)
      throw new Error(`it is not a row group index for a table of ${columns} columns`);
    for (let group = 1; group < this.length; group += 1) {
      // Start offsets and keys must be ascending: otherwise, one request could read the same bytes many times.
      const isSorted = this.#word(this.#firstWordOf(group)) >= this.#word(this.#firstWordOf(group - 1) + 1);
      if (!isSorted || this.#offset(group) <= this.#offset(group - 1))
        throw new Error('its row groups are not in order');
    }
  }

  get #wordsPerGroup(): number {
    return FIXED_WORDS + 2 * this.columns;
  }

  #firstWordOf(group: number): number {
    return HEADER_WORDS + group * this.#wordsPerGroup;
  }

  #offset(group: number): number {
    const word = this.#firstWordOf(group);
    return this.#word(word + 3) + this.#word(word + 4) * HIGH_WORD_FACTOR;
  }

  #word(index: number): number {
    return this.#words[index] as number;
  }

  /** Returns the indexes of the row groups that may contain keys from `firstKey` to `lastKey`, ascending. */
  groupsBetween(firstKey: number, lastKey: number): number[] {
    const firstGroup = findFirstIndex(0, this.length, (group) => this.#word(this.#firstWordOf(group) + 1) >= firstKey);
    const groups: number[] = [];
    for (let group = firstGroup; group < this.length && this.#word(this.#firstWordOf(group)) <= lastKey; group += 1)
      groups.push(group);
    return groups;
  }

  /**
   * Returns the position of a row group. Throws if the row group overlaps the next one, exceeds the file, has no rows,
   * or declares more rows than its size allows.
   */
  locationOf(group: number): RowGroupLocation {
    const word = this.#firstWordOf(group);
    const start = this.#offset(group);
    let offset = start;
    const chunks: RowGroupLocation['chunks'][number][] = [];
    for (let column = 0; column < this.columns; column += 1) {
      const length = this.#word(word + FIXED_WORDS + 2 * column);
      chunks.push({ offset, length, crc32: this.#word(word + FIXED_WORDS + 2 * column + 1) });
      offset += length;
    }
    const [firstKey, lastKey, rows] = [this.#word(word), this.#word(word + 1), this.#word(word + 2)];
    const groupEnd = group + 1 < this.length ? this.#offset(group + 1) : this.fileBytes;
    const fault =
      offset > groupEnd
        ? 'a row group extends beyond the start of the next one or the end of the file'
        : findRowGroupFault({ rows, bytes: offset - start });
    if (fault !== null) throw new Error(fault);
    return { group, firstKey, lastKey, rows, bytes: offset - start, chunks };
  }
}
