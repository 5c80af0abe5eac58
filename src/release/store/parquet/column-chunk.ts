/** Reads the cells of one column chunk, a few kilobytes already in memory. Why it is ours: README.md beside this file. */
import { isAscii } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { parquetHeader } from 'hyparquet/src/column.js';
import type { Cell, CellType, Column } from '../../schema/table.ts';

/** Ten times what the largest page of a full release holds; a damaged size must not exhaust the memory. */
const LARGEST_PAGE = 256 * 1024 * 1024;

/**
 * The cells of a column as they are stored: its different values, and the index of the one that each row has.
 * Rows are found by looking at each value once, and those that are not wanted cost next to nothing.
 */
export class ColumnCells {
  readonly indices: Uint32Array;
  readonly #values: Values;

  constructor(values: Values, indices: Uint32Array) {
    this.#values = values;
    this.indices = indices;
  }

  /** Its different values; may have some that no row has. */
  get dictionary(): readonly Cell[] {
    return this.#values.all();
  }

  /** Those of rows that stand side by side. */
  part({ from, to }: RowRange): ColumnCells {
    return new ColumnCells(this.#values, this.indices.subarray(from, to));
  }

  /** The cell of a row. Throws where the chunk has no such row. */
  at(row: number): Cell {
    const cell = this.#values.at(this.indices[row] ?? -1);
    if (cell === undefined) throw new RangeError(`row ${row} of ${this.indices.length} has no cell`);
    return cell;
  }
}

/** Rows that stand side by side, from the first to before `to`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Texts side by side, from the index of the first; each ends where the length of the next begins. */
interface Texts {
  readonly first: number;
  readonly ends: Uint32Array;
  readonly cut: (from: number, end: number) => string;
}

/** What stands before each text in a page: its length. */
const LENGTH_BYTES = 4;

/**
 * Values by their index. A text is cut out of its page when it is first asked for: of most columns a question about one
 * metric needs a few.
 */
export class Values {
  readonly #cells: (Cell | undefined)[];
  readonly #pages: Texts[] = [];

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

  /** @param bytes each text behind its length */
  addTexts(bytes: Buffer, ends: Uint32Array): void {
    // Where bytes are letters the places in the text are the same.
    const whole = isAscii(bytes) ? bytes.toString('latin1') : null;
    const cut: Texts['cut'] =
      whole === null ? (from, end) => bytes.toString('utf8', from, end) : (from, end) => whole.slice(from, end);
    this.#pages.push({ first: this.#cells.length, ends, cut });
    this.#cells.length += ends.length;
  }

  at(index: number): Cell | undefined {
    const cell = this.#cells[index];
    return cell === undefined ? this.#cut(index) : cell;
  }

  all(): readonly Cell[] {
    // Only texts that are not cut yet are missing.
    return Array.from(this.#cells, (cell, index) => (cell === undefined ? (this.#cut(index) ?? null) : cell));
  }

  #cut(index: number): string | undefined {
    const page = this.#pages.findLast(({ first }) => first <= index);
    const end = page?.ends[index - page.first];
    if (page === undefined || end === undefined) return undefined;
    const from = (page.ends[index - page.first - 1] ?? 0) + LENGTH_BYTES;
    const text = page.cut(from, end);
    this.#cells[index] = text;
    return text;
  }
}

/** What node takes at least for its output. */
const LEAST_ROOM = 64;

/** With the room that the page says it needs: the default takes sixteen kilobytes for the smallest, and half of the time. */
function gunzip(bytes: Uint8Array, size: number): Buffer {
  const chunkSize = Math.min(Math.max(size + 1, LEAST_ROOM), LARGEST_PAGE);
  return gunzipSync(bytes, { maxOutputLength: LARGEST_PAGE, chunkSize });
}

/**
 * The cells of a chunk of `rows` rows, or of some of them, counted from the first of these. Throws when the bytes hold
 * another number of rows, or a null where the column has none.
 */
export function readColumnChunk(
  bytes: Uint8Array,
  { name, type, nullable }: Pick<Column, 'name' | 'type' | 'nullable'>,
  rows: number,
  { from, to }: RowRange = { from: 0, to: rows },
): ColumnCells {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const values = new Values();
  const indices = new Uint32Array(to - from);
  let hasDictionary = false;
  let filled = 0;
  while (reader.offset < bytes.length) {
    const header = parquetHeader(reader);
    const page = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    const { dictionary_page_header: dictionaryPage, data_page_header_v2: dataPage } = header;
    if (dictionaryPage !== undefined) {
      if (hasDictionary) throw new Error(`column ${name} has two dictionaries`);
      readPlain(gunzip(page, header.uncompressed_page_size), type, { from: 0, to: dictionaryPage.num_values }, values);
      hasDictionary = true;
    } else if (dataPage === undefined) throw new Error(`column ${name} has a page of an unknown kind`);
    else {
      const { num_values: count, num_nulls: nulls, encoding, definition_levels_byte_length: levels } = dataPage;
      if (filled + count > rows) throw new Error(`column ${name} has more than ${rows} rows`);
      if (nulls > 0 && !nullable) throw new Error(`column ${name} has ${nulls} rows without a value`);
      const wanted = { from: Math.max(from - filled, 0), to: Math.min(to - filled, count) };
      if (wanted.from < wanted.to) {
        const start = filled + wanted.from - from;
        if (nulls === count) indices.fill(values.add(null), start, start + wanted.to - wanted.from);
        else {
          const content = gunzip(page.subarray(levels), header.uncompressed_page_size - levels);
          const isIndexed = encoding === 'RLE_DICTIONARY' && hasDictionary;
          const present = (range: RowRange) =>
            isIndexed
              ? readIndices(content, count - nulls, range)
              : appendValues(content, { encoding, type, count: count - nulls }, range, values);
          indices.set(nulls === 0 ? present(wanted) : withNulls(present, page, count, wanted, values), start);
        }
      }
      filled += count;
    }
  }
  if (filled !== rows) throw new Error(`column ${name} has ${filled} rows instead of ${rows}`);
  return new ColumnCells(values, indices);
}

/** What the value of a row must be in one column. */
export interface CellTest {
  readonly cells: ColumnCells;
  readonly passes: (value: Cell) => boolean;
}

/** The rows of the range whose values pass every test; a value is tested once, however many rows have it. */
export function rowsWith(tests: readonly CellTest[], { from, to }: RowRange): number[] {
  let rows: number[] | null = null;
  for (const { cells, passes } of tests) {
    const { dictionary, indices } = cells;
    const passing = dictionary.map(passes);
    const isPassing = (row: number) => passing[indices[row] ?? -1] === true;
    if (rows !== null) rows = rows.filter(isPassing);
    else {
      rows = [];
      for (let row = from; row < to; row += 1) if (isPassing(row)) rows.push(row);
    }
  }
  return rows ?? Array.from({ length: to - from }, (_, row) => from + row);
}

/** The indices of some values in a page of dictionary indices: their width stands before them. */
function readIndices(content: Buffer, count: number, range: RowRange): Uint32Array {
  const [width] = content;
  if (width === undefined) throw new Error('a page of dictionary indices is empty');
  return readRuns(content, 1, width, count, range);
}

/** The indices of some of the values that are stored one after the other, once they are put behind the dictionary. */
function appendValues(
  content: Buffer,
  { encoding, type, count }: { readonly encoding: string; readonly type: Column['type']; readonly count: number },
  range: RowRange,
  values: Values,
): Uint32Array {
  const first = values.length;
  if (encoding === 'PLAIN') readPlain(content, type, range, values);
  // Booleans in runs stand behind their length.
  else if (encoding === 'RLE' && type === 'boolean')
    for (const bit of readRuns(content, 4, 1, count, range)) values.add(bit === 1);
  else throw new Error(`the encoding ${encoding} is not one that fin writes`);
  const indices = new Uint32Array(range.to - range.from);
  for (let index = 0; index < indices.length; index += 1) indices[index] = first + index;
  return indices;
}

/** The index of a value where the definition level says that there is one, of null elsewhere. */
function withNulls(
  present: (range: RowRange) => Uint32Array,
  page: Uint8Array,
  count: number,
  { from, to }: RowRange,
  values: Values,
): Uint32Array {
  const levels = readRuns(page, 0, 1, count, { from: 0, to });
  let before = 0;
  for (let row = 0; row < from; row += 1) before += levels[row] ?? 0;
  const own = levels.subarray(from);
  const indices = present({ from: before, to: own.reduce((total, level) => total + level, before) });
  const none = values.add(null);
  let next = 0;
  for (let row = 0; row < own.length; row += 1) {
    if (own[row] === 0) own[row] = none;
    else {
      const index = indices[next++];
      if (index === undefined) throw new Error('a page has fewer values than its definition levels say');
      own[row] = index;
    }
  }
  return own;
}

/**
 * Some of `count` whole numbers of `width` bits, in RLE runs and bit-packed groups as Parquet mixes them. Throws when the
 * bytes end too early.
 * @param start where the first run begins
 */
export function readRuns(
  bytes: Uint8Array,
  start: number,
  width: number,
  count: number,
  { from, to }: RowRange = { from: 0, to: count },
): Uint32Array {
  const values = new Uint32Array(to - from);
  if (width === 0) return values;
  if (width > 24) throw new Error(`numbers of ${width} bits are more than a table of ours holds`);
  const mask = (1 << width) - 1;
  let at = start;
  let done = 0;
  while (done < to) {
    let head = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 28) throw new Error('a run has no end');
      head |= (byte & 127) << shift;
      more = byte > 127;
    }
    const isPacked = (head & 1) === 1;
    const length = (head >>> 1) * (isPacked ? 8 : 1);
    if (length === 0) throw new Error('a run is empty');
    // Of the last packed group there may be no more than is needed.
    const size = ((isPacked ? Math.min(length, count - done) * width : width) + 7) >>> 3;
    if (at + size > bytes.length) throw new Error('a page ends too early');
    const [first, last] = [Math.max(done, from), Math.min(done + length, to)];
    if (isPacked) {
      for (let row = first; row < last; row += 1) {
        const bit = (row - done) * width;
        values[row - from] = (wordAt(bytes, at + (bit >>> 3)) >>> (bit & 7)) & mask;
      }
    } else if (first < last) values.fill(wordAt(bytes, at) & mask, first - from, last - from);
    at += size;
    done += length;
  }
  return values;
}

/** Four bytes, the lowest first, as far as there are any. */
function wordAt(bytes: Uint8Array, at: number): number {
  if (at + 4 > bytes.length) return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return (
    Number(bytes[at]) | (Number(bytes[at + 1]) << 8) | (Number(bytes[at + 2]) << 16) | (Number(bytes[at + 3]) << 24)
  );
}

/** Puts some of the values that stand one after the other behind those in `values`. */
function readPlain(bytes: Buffer, type: CellType, { from, to }: RowRange, values: Values): void {
  if (type === 'boolean') {
    for (let at = from; at < to; at += 1) values.add((bytes.readUInt8(at >> 3) & (1 << (at & 7))) !== 0);
  } else if (type === 'integer') {
    for (let at = from; at < to; at += 1) values.add(bytes.readInt32LE(at * 4));
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
    values.addTexts(bytes.subarray(start, at), ends);
  }
}
