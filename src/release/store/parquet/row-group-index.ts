/**
 * Where each row group and column chunk of a table stands, as 32-bit words in a file of its own.
 *
 * A Parquet footer of thousands of row groups takes longer to parse than a command may run; this is
 * searched as it lies. It also carries the checksum of every column chunk, which Parquet's own pages lack
 * for their levels, so that a damaged byte is noticed by whoever reads it.
 */
import { crc32 } from 'node:zlib';
import type { EncodedRowGroup } from './row-group.ts';

const SIGNATURE = 0x58444946; // "FIDX"
const HEAD_WORDS = 4;
const GROUP_WORDS = 5;
const WORD = 4;
const HIGH = 2 ** 32;

export interface RowGroupLocation {
  readonly firstCik: number;
  readonly lastCik: number;
  readonly rows: number;
  /** Of each column, in the table's order. */
  readonly chunks: readonly { readonly offset: number; readonly length: number; readonly crc32: number }[];
}

export interface WrittenRowGroup extends Omit<EncodedRowGroup, 'bytes' | 'footer'> {
  readonly offset: number;
}

export function encodeIndex(layout: number, columns: number, groups: readonly WrittenRowGroup[]): Buffer {
  const words = [SIGNATURE, layout, columns, groups.length];
  for (const { firstCik, lastCik, rows, offset, chunks } of groups) {
    words.push(firstCik, lastCik, rows, offset % HIGH, Math.floor(offset / HIGH));
    for (const chunk of chunks) words.push(chunk.length, chunk.crc32);
  }
  const bytes = Buffer.alloc(words.length * WORD);
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, index * WORD);
  return bytes;
}

export class RowGroupIndex {
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #columns: number;

  /** Throws when the bytes are not an index of so many columns. */
  constructor(bytes: Buffer, columns: number) {
    this.#bytes = bytes;
    this.#columns = columns;
    this.length = bytes.length < HEAD_WORDS * WORD ? 0 : this.#word(3);
    const words = HEAD_WORDS + this.length * this.#stride;
    if (bytes.length !== words * WORD || this.#word(0) !== SIGNATURE || this.#word(2) !== columns) {
      throw new Error('it is not an index of this table');
    }
  }

  get #stride(): number {
    return GROUP_WORDS + 2 * this.#columns;
  }

  #word(index: number): number {
    return this.#bytes.readUInt32LE(index * WORD);
  }

  /** The group that holds a company's rows, or null where it has none. Groups stand in order of cik. */
  find(cik: number): number | null {
    let low = 0;
    let high = this.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = HEAD_WORDS + middle * this.#stride;
      if (cik < this.#word(at)) high = middle - 1;
      else if (cik > this.#word(at + 1)) low = middle + 1;
      else return middle;
    }
    return null;
  }

  at(group: number): RowGroupLocation {
    const at = HEAD_WORDS + group * this.#stride;
    let offset = this.#word(at + 3) + this.#word(at + 4) * HIGH;
    const chunks = Array.from({ length: this.#columns }, (_, column) => {
      const length = this.#word(at + GROUP_WORDS + 2 * column);
      const chunk = { offset, length, crc32: this.#word(at + GROUP_WORDS + 2 * column + 1) };
      offset += length;
      return chunk;
    });
    return { firstCik: this.#word(at), lastCik: this.#word(at + 1), rows: this.#word(at + 2), chunks };
  }
}

/** The checksum that the manifest keeps of an index, cheap enough to be compared at every reading. */
export const checksum = (bytes: Uint8Array): number => crc32(bytes);
