/** Reads the cells of column chunks, a few kilobytes already in memory. */
import type { Cell, CellType } from '../schema/table.ts';
import { ENCODING } from './format.ts';
import {
  type ChunkPages,
  type DataPage,
  type DictionaryPage,
  type PagesSize,
  readPages,
  type StoredChunk,
} from './pages.ts';
import { readPlain, Values } from './plain-values.ts';
import { type RowRange, readRuns } from './runs.ts';

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

  /** More than any of the indices. */
  get different(): number {
    return this.#values.length;
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

/** The cells of a chunk. Throws when the bytes hold another number of rows, or a null where the column has none. */
export function readColumnChunk(chunk: StoredChunk, size: PagesSize): ColumnCells {
  const [pages] = readPages([chunk], size);
  return cellsOf(pages as ChunkPages, { from: 0, to: size.rows });
}

/** The cells of some rows, counted from the first of these. */
export function cellsOf({ column: { type }, dictionary, data }: ChunkPages, { from, to }: RowRange): ColumnCells {
  const values = new Values();
  const indices = new Uint32Array(to - from);
  if (dictionary !== null) readPlain(dictionary.content, type, { from: 0, to: dictionary.count }, values);
  for (const page of data) {
    if (page.from >= to || page.from + page.rows <= from) continue;
    const wanted = { from: Math.max(from - page.from, 0), to: Math.min(to - page.from, page.rows) };
    const start = page.from + wanted.from - from;
    const present = (range: RowRange) =>
      page.encoding === ENCODING.rleDictionary && dictionary !== null
        ? readIndices(page, dictionary, range)
        : appendValues(page, type, range, values);
    if (page.count === 0) indices.fill(values.add(null), start, start + wanted.to - wanted.from);
    else indices.set(page.count === page.rows ? present(wanted) : withNulls(present, page, wanted, values), start);
  }
  return new ColumnCells(values, indices);
}

/** What the value of a row must be in one column. */
export interface CellTest {
  readonly cells: ColumnCells;
  readonly passes: (value: Cell) => boolean;
}

/** The rows of the range whose values pass every test. */
export function rowsWith(tests: readonly CellTest[], { from, to }: RowRange): number[] {
  const failed = new Uint8Array(to - from);
  for (const test of tests) failRows(failed, from, test);
  const rows: number[] = [];
  for (let index = 0; index < failed.length; index += 1) if (failed[index] === 0) rows.push(from + index);
  return rows;
}

const [UNTESTED, PASSED, FAILED] = [0, 1, 2];

/**
 * A value is tested once, however many rows have it; of a row group that several keys share, texts of the others are not
 * even cut.
 * @param failed a 1 for each row that has failed, the first of which is `from`
 */
function failRows(failed: Uint8Array, from: number, { cells, passes }: CellTest): void {
  const { indices } = cells;
  const tested = new Uint8Array(cells.different);
  for (let index = 0; index < failed.length; index += 1) {
    if (failed[index] === 1) continue;
    const value = indices[from + index] as number;
    if (tested[value] === UNTESTED) tested[value] = passes(cells.at(from + index)) ? PASSED : FAILED;
    if (tested[value] === FAILED) failed[index] = 1;
  }
}

/** The indices of some values in a page of dictionary indices: their width stands before them. */
function readIndices({ content, count }: DataPage, dictionary: DictionaryPage, range: RowRange): Uint32Array {
  const indices = readRuns(content, 1, content.readUInt8(0), count, range);
  let last = 0;
  for (let at = 0; at < indices.length; at += 1) if ((indices[at] as number) > last) last = indices[at] as number;
  if (last < dictionary.count || indices.length === 0) return indices;
  throw new Error(`a dictionary of ${dictionary.count} values has none of index ${last}`);
}

/** The indices of some of the values that are stored one after the other, once they are put behind the dictionary. */
function appendValues(
  { content, encoding, count }: DataPage,
  type: CellType,
  range: RowRange,
  values: Values,
): Uint32Array {
  const first = values.length;
  if (encoding === ENCODING.plain) readPlain(content, type, range, values);
  // Earlier programs wrote booleans in runs, behind their length.
  else if (encoding === ENCODING.rle && type === 'boolean')
    for (const bit of readRuns(content, 4, 1, count, range)) values.add(bit === 1);
  else throw new Error(`the encoding ${encoding} is not one that fin writes`);
  const indices = new Uint32Array(range.to - range.from);
  for (let index = 0; index < indices.length; index += 1) indices[index] = first + index;
  return indices;
}

/** The index of a value where the definition level says that there is one, of null elsewhere. */
function withNulls(
  present: (range: RowRange) => Uint32Array,
  { levels: bits, rows, count }: DataPage,
  { from, to }: RowRange,
  values: Values,
): Uint32Array {
  const levels = readRuns(bits, 0, 1, rows, { from: 0, to });
  const before = onesIn(levels.subarray(0, from));
  const own = levels.subarray(from);
  const after = before + onesIn(own);
  if (after > count) throw new Error('a page has fewer values than its definition levels say');
  const indices = present({ from: before, to: after });
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

function onesIn(levels: Uint32Array): number {
  let ones = 0;
  for (const level of levels) ones += level;
  return ones;
}
