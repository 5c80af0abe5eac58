/** Reads the cells of one column chunk. Synchronous: a chunk is a few kilobytes, already in memory. */
import { gunzipSync } from 'node:zlib';
import { parquetHeader } from 'hyparquet/src/column.js';
import type { Cell, Column } from '../../schema/table.ts';
import { readPlain, readRuns } from './page-values.ts';

/** Ten times what the largest page of a full release holds; a damaged size must not exhaust the memory. */
const LARGEST_PAGE = 256 * 1024 * 1024;

/**
 * The cells of a column as they are written: its different values, and the number of the value that each row has.
 * Rows are found by looking at each value once, and those that are not wanted cost next to nothing.
 */
export interface ColumnCells {
  readonly dictionary: readonly Cell[];
  readonly indices: Uint32Array;
}

const unzip = (bytes: Uint8Array): Buffer => gunzipSync(bytes, { maxOutputLength: LARGEST_PAGE });

/** Exactly `rows` cells; throws when the bytes hold anything else. */
export function readChunk(bytes: Uint8Array, column: Column, rows: number): ColumnCells {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const values: Cell[] = [];
  const numbers = new Uint32Array(rows);
  let words = -1;
  let filled = 0;
  while (reader.offset < bytes.length) {
    const header = parquetHeader(reader);
    const page = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    const { dictionary_page_header: dictionary, data_page_header_v2: data } = header;
    if (dictionary !== undefined) {
      if (words >= 0) throw new Error(`column ${column.name} has two dictionaries`);
      readPlain(unzip(page), column.type, dictionary.num_values, values);
      words = values.length;
    } else if (data === undefined) throw new Error(`column ${column.name} has a page of an unknown kind`);
    else {
      const { num_values: count, num_nulls: nulls, encoding, definition_levels_byte_length: levels } = data;
      if (filled + count > rows) throw new Error(`column ${column.name} has more than ${rows} rows`);
      const content = unzip(page.subarray(levels));
      const present =
        encoding === 'RLE_DICTIONARY' && words >= 0
          ? readRuns(content, 1, content[0] ?? 0, count - nulls)
          : appended(content, { encoding, type: column.type, count: count - nulls }, values);
      numbers.set(nulls === 0 ? present : withNulls(present, readRuns(page, 0, 1, count), values), filled);
      filled += count;
    }
  }
  if (filled !== rows) throw new Error(`column ${column.name} has ${filled} rows instead of ${rows}`);
  return { dictionary: values, indices: numbers };
}

/** The rows whose value passes a test, of all or of `among`; a value is tested once, however many rows have it. */
export function rowsWith(
  { dictionary: values, indices: numbers }: ColumnCells,
  passes: (value: Cell) => boolean,
  among: Iterable<number> = numbers.keys(),
): number[] {
  const passing = values.map(passes);
  const rows: number[] = [];
  for (const row of among) if (passing[numbers[row] ?? -1] === true) rows.push(row);
  return rows;
}

/** The numbers of values that stand for themselves, once they are put behind those known. */
function appended(
  bytes: Buffer,
  { encoding, type, count }: { readonly encoding: string; readonly type: Column['type']; readonly count: number },
  values: Cell[],
): Uint32Array {
  const first = values.length;
  if (encoding === 'PLAIN') readPlain(bytes, type, count, values);
  // Booleans in runs stand behind their length.
  else if (encoding === 'RLE' && type === 'boolean')
    for (const bit of readRuns(bytes, 4, 1, count)) values.push(bit === 1);
  else throw new Error(`the encoding ${encoding} is not one of ours`);
  const numbers = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) numbers[index] = first + index;
  return numbers;
}

/** A value where the level says that there is one, null elsewhere. */
function withNulls(present: Uint32Array, levels: Uint32Array, values: Cell[]): Uint32Array {
  const none = values.push(null) - 1;
  let next = 0;
  for (let row = 0; row < levels.length; row += 1) levels[row] = levels[row] === 0 ? none : (present[next++] ?? none);
  return levels;
}
