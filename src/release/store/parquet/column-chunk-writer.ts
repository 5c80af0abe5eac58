/**
 * Writes the cells of one column chunk, in the encodings that `column-chunk.ts` reads.
 *
 * hyparquet-writer takes columns of any type and shape, and looks at each value several times. Ours are flat and mostly
 * repeat a few values: each row is looked at once, each different value is written once. Headers and runs are the library's.
 */
import { gzipSync } from 'node:zlib';
import type { ColumnChunk, ColumnMetaData, Encoding, PageHeader, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid as writeRuns } from 'hyparquet-writer/src/encoding.js';
import type { Cell, Column } from '../../schema/table.ts';
import { CODEC, elementOf } from './parquet-schema.ts';
import { plainBytes, plainSize } from './plain-bytes.ts';

/** Up to so many flags are written bit by bit, more of them in runs. */
const FEW_FLAGS = 16;
/** What gzip may add to what it cannot make smaller. */
const GZIP_ROOM = 64;

/** A column by its different values, in the order of their first rows. */
interface Words {
  readonly values: readonly Exclude<Cell, null>[];
  /** The number of the value of each row that has one. */
  readonly numbers: Uint32Array;
  /** Of each row: 1 where it has a value, 0 where it has none. */
  readonly levels: Uint8Array;
}

/** Puts the column behind what the writer holds; `bounded`: with bounds by which a query can skip it. Throws on a missing cell. */
export function writeChunk(writer: ByteWriter, column: Column, cells: readonly Cell[], bounded: boolean): ColumnChunk {
  const element = elementOf(column);
  const begin = writer.offset;
  const words = wordsOf(cells, column);
  const asWords = isShorterAsWords(words, column);
  const wordsLength = asWords ? writeWords(writer, plainBytes(words.values, column.type), words.values.length) : 0;
  const dataAt = writer.offset;
  const { encoding, data } = asWords ? numbersOf(words) : valuesOf(words, column);
  const nulls = cells.length - words.numbers.length;
  const levels = column.nullable ? words.levels : null;
  const dataLength = writeData(writer, data, { encoding, levels, nulls, rows: cells.length });
  return {
    file_offset: BigInt(begin),
    meta_data: {
      type: element.type ?? 'BYTE_ARRAY',
      encodings: asWords ? ['PLAIN', encoding] : [encoding],
      path_in_schema: [column.name],
      codec: CODEC,
      num_values: BigInt(cells.length),
      total_uncompressed_size: BigInt(wordsLength + dataLength),
      total_compressed_size: BigInt(writer.offset - begin),
      data_page_offset: BigInt(dataAt),
      ...(asWords ? { dictionary_page_offset: BigInt(begin) } : {}),
      ...(bounded ? { statistics: { ...boundsOf(words.values), null_count: BigInt(nulls) } } : {}),
      ...(bounded ? { encoding_stats: pagesOf(encoding, asWords) } : {}),
    },
  };
}

/** How many pages there are in which encoding. */
function pagesOf(encoding: Encoding, asWords: boolean): NonNullable<ColumnMetaData['encoding_stats']> {
  const data = { page_type: 'DATA_PAGE_V2', encoding, count: 1 } as const;
  return asWords ? [{ page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 }, data] : [data];
}

/** Bounds go by bytes, whose order is that of code units but for letters of more than sixteen bits: with these there are none. */
function boundsOf(values: Words['values']): Pick<Statistics, 'min_value' | 'max_value'> {
  let [least, greatest] = [values[0], values[0]];
  for (const value of values) {
    if (typeof value === 'string' && /[\ud800-\udfff]/.test(value)) return {};
    if (least === undefined || value < least) least = value;
    if (greatest === undefined || value > greatest) greatest = value;
  }
  return least === undefined || greatest === undefined ? {} : { min_value: least, max_value: greatest };
}

function wordsOf(cells: readonly Cell[], { name, nullable }: Column): Words {
  const known = new Map<Cell, number>();
  const values: Exclude<Cell, null>[] = [];
  const numbers = new Uint32Array(cells.length);
  const levels = new Uint8Array(cells.length);
  let count = 0;
  let last: Cell = null;
  let number = 0;
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row] ?? null;
    if (cell === null) {
      if (!nullable) throw new TypeError(`column ${name} has no value in row ${row}`);
      continue;
    }
    // Rows are in order, so that most repeat the one before.
    if (cell !== last) {
      const found = known.get(cell);
      number = found ?? values.push(cell) - 1;
      if (found === undefined) known.set(cell, number);
      last = cell;
    }
    levels[row] = 1;
    numbers[count++] = number;
  }
  return { values, numbers: numbers.subarray(0, count), levels };
}

/** Numbers must halve what the values themselves would take. */
function isShorterAsWords({ values, numbers }: Words, { type }: Column): boolean {
  if (type === 'boolean' || values.length === 0) return false;
  const sizes = values.map(plainSize);
  let plain = 0;
  for (const number of numbers) plain += sizes[number] ?? 0;
  const numbersSize = Math.ceil((numbers.length * widthOf(values.length)) / 8);
  return 2 * sizes.reduce((sum, size) => sum + size, numbersSize) <= plain;
}

/** The bits of a number of one of so many words. */
function widthOf(words: number): number {
  return Math.ceil(Math.log2(words));
}

function numbersOf({ values, numbers }: Words): { encoding: Encoding; data: Uint8Array } {
  const writer = new ByteWriter();
  writer.appendUint8(widthOf(values.length));
  writeRuns(writer, numbers, widthOf(values.length));
  return { encoding: 'RLE_DICTIONARY', data: writer.getBytes() };
}

function valuesOf({ values, numbers }: Words, { type }: Column): { encoding: Encoding; data: Uint8Array } {
  const cells = Array.from(numbers, (number) => values[number] ?? null);
  if (type !== 'boolean' || cells.length <= FEW_FLAGS) return { encoding: 'PLAIN', data: plainBytes(cells, type) };
  const runs = new ByteWriter();
  writeRuns(runs, Uint8Array.from(cells, Number), 1);
  // They stand behind their length.
  const writer = new ByteWriter();
  writer.appendUint32(runs.offset);
  writer.appendBytes(runs.getBytes());
  return { encoding: 'RLE', data: writer.getBytes() };
}

/** Returns the page's length before compression, as the three below do. */
function writeWords(writer: ByteWriter, bytes: Uint8Array, count: number): number {
  const header = { num_values: count, encoding: 'PLAIN' as const };
  return writePage(writer, bytes, { type: 'DICTIONARY_PAGE', dictionary_page_header: header });
}

interface DataShape {
  readonly encoding: Encoding;
  readonly levels: Uint8Array | null;
  readonly nulls: number;
  readonly rows: number;
}

function writeData(writer: ByteWriter, bytes: Uint8Array, { encoding, levels, nulls, rows }: DataShape): number {
  const runs = new ByteWriter();
  if (levels !== null) writeRuns(runs, levels, 1);
  const header = {
    num_values: rows,
    num_nulls: nulls,
    num_rows: rows,
    encoding,
    definition_levels_byte_length: runs.offset,
    repetition_levels_byte_length: 0,
    is_compressed: true,
  };
  return writePage(writer, bytes, { type: 'DATA_PAGE_V2', data_page_header_v2: header }, runs.getBytes());
}

/** `levels` stand before the compressed bytes as they are. */
function writePage(
  writer: ByteWriter,
  bytes: Uint8Array,
  header: Omit<PageHeader, 'compressed_page_size' | 'uncompressed_page_size'>,
  levels: Uint8Array = new Uint8Array(),
): number {
  // With room enough at once: the default takes sixteen kilobytes for the smallest page.
  const compressed = gzipSync(bytes, { level: 6, chunkSize: bytes.length + GZIP_ROOM });
  const begin = writer.offset;
  writePageHeader(writer, {
    ...header,
    uncompressed_page_size: levels.length + bytes.length,
    compressed_page_size: levels.length + compressed.length,
  });
  const length = writer.offset - begin + levels.length + bytes.length;
  writer.appendBytes(levels);
  writer.appendBytes(compressed);
  return length;
}
