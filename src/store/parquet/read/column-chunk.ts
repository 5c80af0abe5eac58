/** Decodes column chunks that are in memory; most have a few kilobytes. */
import type { Cell, CellType } from '../../schema/columns.ts';
import { ENCODING_NUMBERS } from '../format/thrift.ts';
import type { ChunkPages, DataPage, DictionaryPage } from './pages.ts';
import { decodePlainValues } from './plain-values.ts';
import { type RowRange, readNumbers } from './runs.ts';

/**
 * The cells of a column: a dictionary of values, and each row's index into the dictionary. So a filter tests each
 * dictionary value once, instead of the value of each row.
 */
export class ColumnCells {
  /** @param dictionary the values to which `indices` refer; some may be equal, and some may not occur in any row */
  constructor(
    readonly dictionary: readonly Cell[],
    readonly indices: Uint32Array,
  ) {}

  slice({ from, to }: RowRange): ColumnCells {
    return new ColumnCells(this.dictionary, this.indices.subarray(from, to));
  }

  /** Returns the cell of a row. Throws if the row does not exist. */
  cellAt(row: number): Cell {
    const cell = this.dictionary[this.indices[row] ?? -1];
    if (cell === undefined) throw new RangeError(`there is no row ${row}: the column has ${this.indices.length} rows`);
    return cell;
  }
}

/** Returns the cells of a range of rows; index 0 is the first row of the range. */
export function decodeCells({ column: { type }, dictionary, data }: ChunkPages, { from, to }: RowRange): ColumnCells {
  const values: Cell[] =
    dictionary === null ? [] : decodePlainValues(dictionary.content, type, { from: 0, to: dictionary.count });
  const indices = new Uint32Array(to - from);
  for (const page of data) {
    if (page.firstRow >= to || page.firstRow + page.rows <= from) continue;
    const span = { from: Math.max(from - page.firstRow, 0), to: Math.min(to - page.firstRow, page.rows) };
    const firstIndex = page.firstRow + span.from - from;
    const readNext = (range: RowRange) =>
      page.encoding === ENCODING_NUMBERS.rleDictionary && dictionary !== null
        ? readIndices(page, dictionary, range)
        : appendValues(page, type, range, values);
    if (page.count === 0) indices.fill(values.push(null) - 1, firstIndex, firstIndex + span.to - span.from);
    else indices.set(page.count === page.rows ? readNext(span) : insertNulls(readNext, page, span, values), firstIndex);
  }
  return new ColumnCells(values, indices);
}

/** A condition on the values of one column. */
interface CellTest {
  readonly cells: ColumnCells;
  readonly passes: (value: Cell) => boolean;
}

export function selectRows(tests: readonly CellTest[], { from, to }: RowRange): number[] {
  const failed = new Uint8Array(to - from);
  for (const test of tests) markFailedRows(failed, from, test);
  const rows: number[] = [];
  for (let index = 0; index < failed.length; index += 1) if (failed[index] === 0) rows.push(from + index);
  return rows;
}

const [UNTESTED, PASSED, FAILED] = [0, 1, 2];

/**
 * Marks the rows that fail the test. Tests each dictionary value at most once, and only if a row in the range has it.
 * @param failed set to 1 for each failed row; index 0 is the row `from`
 */
function markFailedRows(failed: Uint8Array, from: number, { cells, passes }: CellTest): void {
  const { indices } = cells;
  const results = new Uint8Array(cells.dictionary.length);
  for (let index = 0; index < failed.length; index += 1) {
    if (failed[index] === 1) continue;
    const value = indices[from + index] as number;
    if (results[value] === UNTESTED) results[value] = passes(cells.cellAt(from + index)) ? PASSED : FAILED;
    if (results[value] === FAILED) failed[index] = 1;
  }
}

/**
 * Returns the dictionary indices of a range of values. The content of the page begins with the bit width of the
 * indices.
 */
function readIndices({ content, count }: DataPage, dictionary: DictionaryPage, range: RowRange): Uint32Array {
  const indices = readNumbers(content, 1, content.readUInt8(0), count, range);
  let maxIndex = 0;
  for (let position = 0; position < indices.length; position += 1)
    if ((indices[position] as number) > maxIndex) maxIndex = indices[position] as number;
  if (maxIndex < dictionary.count || indices.length === 0) return indices;
  throw new Error(`index ${maxIndex} is outside a dictionary of ${dictionary.count} values`);
}

/**
 * For a page that stores values instead of dictionary indices: adds a range of its values to `values`, and returns the
 * new index of each value.
 */
function appendValues(page: DataPage, type: CellType, range: RowRange, values: Cell[]): Uint32Array {
  const { content, encoding, count } = page;
  const firstIndex = values.length;
  if (encoding === ENCODING_NUMBERS.plain)
    for (const value of decodePlainValues(content, type, range)) values.push(value);
  // Older versions of fin wrote booleans as RLE runs with a length prefix.
  else if (encoding === ENCODING_NUMBERS.rle && type === 'boolean')
    for (const bit of readNumbers(content, 4, 1, count, range)) values.push(bit === 1);
  else throw new Error(`the encoding ${encoding} is not supported, or its dictionary is missing`);
  const indices = new Uint32Array(range.to - range.from);
  for (let index = 0; index < indices.length; index += 1) indices[index] = firstIndex + index;
  return indices;
}

/**
 * Returns an index into `values` for each row: the index of its value, or of null if the row has no value (definition
 * level 0).
 */
function insertNulls(
  readNext: (range: RowRange) => Uint32Array,
  { levels: levelBytes, rows, count }: DataPage,
  { from, to }: RowRange,
  values: Cell[],
): Uint32Array {
  const levels = readNumbers(levelBytes, 0, 1, rows, { from: 0, to });
  const start = countOnes(levels.subarray(0, from));
  const indexByRow = levels.subarray(from);
  const end = start + countOnes(indexByRow);
  if (end > count) throw new Error('a page has fewer values than its definition levels state');
  const indices = readNext({ from: start, to: end });
  const nullIndex = values.push(null) - 1;
  let nextValue = 0;
  for (let row = 0; row < indexByRow.length; row += 1) {
    if (indexByRow[row] === 0) indexByRow[row] = nullIndex;
    else {
      const index = indices[nextValue++];
      if (index === undefined) throw new Error('a page has fewer values than its definition levels state');
      indexByRow[row] = index;
    }
  }
  return indexByRow;
}

function countOnes(levels: Uint32Array): number {
  let oneCount = 0;
  for (const level of levels) oneCount += level;
  return oneCount;
}
